/** The keyboard: hold a key to move. The held motion key is the deadman itself. */

import { NOTHING, type Held, type InputSource } from "./inputState.ts";
import type { Action } from "./axesAndActions.ts";
import { actionOf, deflectionOf, repeats, type KeyMap } from "./keyMap.ts";

/** The part of `KeyboardEvent` that is used. */
export interface KeyLike {
  readonly code: string;
  readonly key: string;
  readonly repeat: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  preventDefault(): void;
}

/** The focus when a key was pressed. */
export type Focus =
  /** No control has the focus. */
  | "page"
  /** On a button: Enter presses it. */
  | "button"
  /** In a field that takes text or arrows. */
  | "field"
  /** In a dialog that lies over the page. */
  | "dialog";

/** The part of the page that the keyboard needs. */
export interface KeyboardHost {
  keys(): KeyMap;
  /** Return the axes of the control mode in use. */
  axes(): readonly string[];
  /** Return whether a robot moves, so that Space stops it even in a text field. */
  moving(): boolean;
  /** Return whether a stop is latched, so that Enter means "reset". */
  latched(): boolean;
  stop(): void;
  act(action: Action): void;
  /** The talk key went down, or up. */
  talk(held: boolean): void;
  help(): void;
  escape(): void;
  /** A motion key went down. */
  pressed(): void;
  changed(): void;
}

export class Keyboard implements InputSource {
  private readonly held = new Set<string>();
  /** Code of the talk key while it is held; it is no deadman. */
  private talking = "";

  constructor(private readonly host: KeyboardHost) {}

  read(axes: readonly string[]): Held {
    if (this.held.size === 0) return NOTHING;
    const keys = this.host.keys();
    const deflections: Record<string, number> = {};
    let deadman = false;
    for (const code of this.held) {
      const found = deflectionOf(keys, code, axes);
      if (found === null) continue;
      deadman = true;
      deflections[found.axis] = (deflections[found.axis] ?? 0) + found.sign;
    }
    return { deadman, axes: deflections, pose: null };
  }

  release(): void {
    this.held.clear();
    if (this.talking !== "") this.endTalk();
  }

  down(event: KeyLike, focus: Focus): void {
    if (event.code === "Space") this.space(event, focus);
    else if (event.key === "Escape") this.escaped(event);
    else if (event.metaKey) this.drop();
    else if (focus === "page" || focus === "button") this.pressed(event, focus);
  }

  /** A release counts wherever the focus is. While Meta is held, browsers do not report releases of other keys. */
  up(event: KeyLike): void {
    if (event.code === this.talking) this.endTalk();
    if (event.key === "Meta") this.drop();
    else if (this.held.delete(event.code)) this.host.changed();
  }

  private space(event: KeyLike, focus: Focus): void {
    if (focus === "field" && !this.host.moving()) return;
    event.preventDefault();
    if (!event.repeat) this.host.stop();
  }

  private escaped(event: KeyLike): void {
    if (event.repeat) return;
    this.host.escape();
  }

  private pressed(event: KeyLike, focus: Focus): void {
    if (event.ctrlKey || event.altKey) return;
    if (event.key === "?") {
      event.preventDefault();
      if (!event.repeat) this.host.help();
      return;
    }
    if (this.motion(event)) return;
    if (focus === "button" && event.key === "Enter" && !this.host.latched()) {
      if (event.repeat) event.preventDefault(); // a held Enter presses the button once
      return;
    }
    const action = actionOf(this.host.keys(), event.code);
    if (action === null) return;
    event.preventDefault();
    if (action === "talk") this.beginTalk(event);
    else if (!event.repeat || repeats(action)) this.host.act(action);
  }

  private motion(event: KeyLike): boolean {
    if (deflectionOf(this.host.keys(), event.code, this.host.axes()) === null) return false;
    event.preventDefault();
    // A key that was held when all inputs were released needs a fresh press.
    if (!event.repeat && !this.held.has(event.code)) {
      this.held.add(event.code);
      this.host.pressed();
      this.host.changed();
    }
    return true;
  }

  private beginTalk(event: KeyLike): void {
    if (event.repeat || this.talking !== "") return;
    this.talking = event.code;
    this.host.talk(true);
  }

  private endTalk(): void {
    this.talking = "";
    this.host.talk(false);
  }

  private drop(): void {
    if (this.talking !== "") this.endTalk();
    if (this.held.size === 0) return;
    this.held.clear();
    this.host.changed();
  }
}
