/** Gamepads and other HID consoles, polled many times per second. */

import { NOTHING, type Held, type InputSource } from "./inputState.ts";
import { profileFor } from "./padLayouts.ts";
import { pressed, readPad } from "./readPad.ts";
import { PUSHES, type Input, type PadState, type Profile, type Push } from "./padProfile.ts";

export interface PadHost {
  /** The devices as they are now. */
  devices(): readonly PadState[];
  /** Return whether this page has the operator's attention: devices also report to pages in the background. */
  attentive(): boolean;
  /** The profile that was saved for a device. */
  saved(id: string): Profile | null;
  push(push: Exclude<Push, "deadman">): void;
  /** Devices came or went. */
  plugged(ids: readonly string[]): void;
}

export class Pads implements InputSource {
  private pads: readonly PadState[] = [];
  private known = "";
  /** The axes of the control mode in use. */
  private axes: readonly string[] = [];
  private readonly down = new Set<string>();
  private readonly watchers = new Set<() => void>();
  /** Devices whose deadman must be let go before it counts. */
  private readonly stale = new Set<string>();
  /** A device that is being set up moves nothing; while it is being taught its buttons have no effect either. */
  use: "drive" | "set up" | "teach" = "drive";

  constructor(private readonly host: PadHost) {}

  /** Read the devices, and act on fresh presses of buttons. */
  poll(): void {
    this.pads = this.host.devices();
    const ids = this.pads.map((pad) => pad.id);
    if (ids.join("\n") !== this.known) this.changed(ids);
    for (const pad of this.pads) this.pushes(pad);
    for (const watcher of this.watchers) watcher();
  }

  /** Call `watcher` after each poll; return the function that ends it. Polling does not wait for drawing. */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  read(axes: readonly string[]): Held {
    this.axes = axes;
    if (this.use !== "drive" || !this.host.attentive()) this.release();
    for (const pad of this.pads) {
      const held = readPad(pad, this.profile(pad), axes);
      if (!held.deadman) this.stale.delete(pad.id);
      else if (!this.stale.has(pad.id)) return held;
    }
    return NOTHING;
  }

  release(): void {
    for (const pad of this.pads) this.stale.add(pad.id);
  }

  /** Return the state of a device, for teaching. */
  state(id: string): PadState | null {
    return this.pads.find((pad) => pad.id === id) ?? null;
  }

  profile(pad: PadState): Profile {
    return profileFor(pad.layout, this.host.saved(pad.id));
  }

  private pushes(pad: PadState): void {
    const profile = this.profile(pad);
    const { pushes } = profile;
    for (const push of PUSHES) {
      if (push === "deadman") continue;
      const key = `${push}\n${pad.id}`;
      const held = pressed(pad, pushes[push]);
      const fresh = held && !this.down.has(key);
      if (fresh && this.allows(push) && (push === "stop" || !this.deflects(pad, profile, pushes[push]))) this.host.push(push);
      if (held) this.down.add(key);
      else this.down.delete(key);
    }
  }

  private allows(push: Push): boolean {
    if (push === "stop") return this.use !== "teach";
    return this.use === "drive" && this.host.attentive();
  }

  /** Return whether an input deflects an axis while the deadman is held: then it is no button. */
  private deflects(pad: PadState, { motions, pushes }: Profile, input: Input | undefined): boolean {
    if (input === undefined || !pressed(pad, pushes.deadman)) return false;
    const ends = this.axes.flatMap((axis) => [motions[axis]?.plus, motions[axis]?.minus]);
    return ends.some((end) => end?.on === input.on && end.index === input.index);
  }

  /** A deadman that is held when its device appears must be released first. */
  private changed(ids: readonly string[]): void {
    const before = new Set(this.known.split("\n"));
    for (const id of ids) if (!before.has(id)) this.stale.add(id);
    this.known = ids.join("\n");
    this.host.plugged(ids);
  }
}

/** Return the devices of the browser's Gamepad API; several of one kind get a number each. */
export function browserPads(browser: Navigator): PadState[] {
  const seen = new Map<string, number>();
  return browser
    .getGamepads()
    .filter((pad): pad is Gamepad => pad?.connected === true)
    .map((pad) => {
      const count = (seen.get(pad.id) ?? 0) + 1;
      seen.set(pad.id, count);
      return {
        id: count === 1 ? pad.id : `${pad.id} #${count}`,
        layout: pad.mapping === "standard" ? "standard" : "",
        axes: [...pad.axes],
        buttons: pad.buttons.map((each) => (each.pressed ? Math.max(each.value, PRESSED_VALUE) : each.value)),
      };
    });
}

/** Value of a pressed button on devices that report 0 for it. */
const PRESSED_VALUE = 0.6;
