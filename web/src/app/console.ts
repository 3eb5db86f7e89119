/** The console: all parts of the page, made once and tied together here. */

import { effect, signal } from "@preact/signals";
import type { ToPage } from "../wire.gen.ts";
import { createView, type View, type ViewStats } from "../view/index.ts";
import { TipDrag } from "../hand/drag.ts";
import { focusOf } from "../hand/focus.ts";
import type { Action } from "../hand/functions.ts";
import { Hand } from "../hand/hand.ts";
import { Keyboard } from "../hand/keyboard.ts";
import { KeyStore } from "../hand/keystore.ts";
import { whenLeft } from "../hand/leaving.ts";
import { browserPads, Pads } from "../hand/pads.ts";
import { PadStore } from "../hand/padstore.ts";
import { Sender } from "../hand/sender.ts";
import { Sticks } from "../hand/sticks.ts";
import { Commands } from "../link/commands.ts";
import { browserSurroundings, Link } from "../link/link.ts";
import { meshes } from "../link/mesh.ts";
import { Plots } from "../plots/plots.ts";
import { PageLook } from "../state/look.ts";
import { cellOf, mappingOf, robotInfo, robotNow } from "../state/select.ts";
import type { Settings } from "../state/settings.ts";
import { Store } from "../state/store.ts";
import { asking } from "../state/words.ts";
import { Actions } from "./actions.ts";
import { Asker } from "./asker.ts";
import { startPulse } from "./pulse.ts";
import { Toasts } from "./toasts.ts";

/** Milliseconds between two readings of the hand. */
const HAND_EVERY = 16;
const CLOCK_EVERY = 100;

export interface Identity {
  readonly token: string;
  readonly client: string;
}

export class Console {
  readonly store = new Store(performance.now());
  readonly toasts = new Toasts();
  readonly view: View = createView();
  readonly look: PageLook;
  readonly keys: KeyStore;
  readonly padStore: PadStore;
  readonly plots: Plots;
  readonly actions: Actions;
  readonly pads: Pads;
  readonly sticks = new Sticks(() => this.handChanged());
  /** How drawing goes; null before the first picture. */
  readonly stats = signal<ViewStats | null>(null);
  /** This page waits for control. */
  private asked = false;
  private readonly link: Link;
  private readonly commands: Commands;
  private readonly keyboard: Keyboard;
  private readonly drag: TipDrag;
  private readonly hand: Hand;
  private readonly sender: Sender;
  private readonly asker: Asker;

  constructor(
    private readonly identity: Identity,
    settings: Settings,
  ) {
    this.look = new PageLook(settings);
    this.keys = new KeyStore(settings);
    this.padStore = new PadStore(settings);
    this.link = this.makeLink();
    this.commands = new Commands((message) => this.link.send(message));
    this.asker = new Asker((message) => this.link.send(message));
    this.actions = new Actions(
      this.store,
      this.commands,
      (message) => this.link.send(message),
      this.toasts,
      () => this.letGo(),
    );
    this.plots = new Plots(this.store, settings, (message) => this.link.send(message));
    this.keyboard = this.makeKeyboard();
    this.pads = this.makePads();
    this.drag = this.makeDrag();
    this.hand = new Hand([this.keyboard, this.pads, this.sticks, this.drag]);
    this.sender = new Sender(this.hand, (message) => this.link.sendFresh(message));
  }

  /** Measure the way to the cell and back, ms; null without an answer. */
  ping(): Promise<number | null> {
    return this.commands.ping(() => performance.now());
  }

  /** Connect, and listen to the operator from now on. */
  start(): void {
    this.listenToHand();
    this.tieView();
    effect(() => this.asker.look(this.store.model.value, this.store.robot.value));
    effect(() => this.tellRefusal());
    setInterval(() => {
      this.store.clock.value = performance.now();
    }, CLOCK_EVERY);
    startPulse(this.store, this.link, this.commands, () => performance.now());
    this.link.start();
  }

  /** Tell that the holder keeps control, once, to an operator who asked for it and still wants it. */
  private tellRefusal(): void {
    const { store } = this;
    const asked = asking(store.model.value, store.robot.value);
    if (this.asked && !asked && !store.mine.value && store.lease.value !== null) {
      this.toasts.show(`${store.lease.value.name} keeps control.`);
    }
    this.asked = asked;
  }

  /** Show another cell. */
  watch(cell: string): void {
    this.letGo();
    this.asker.renewed();
    this.store.notice({ type: "watching", cell });
    this.link.send({ type: "Watch", cell });
  }

  /** Put another robot in front of the operator. */
  pick(robot: string): void {
    this.letGo();
    this.store.picked.value = robot;
  }

  ask(): void {
    this.asker.wants(this.store.robot.value);
    this.actions.ask();
  }

  giveBack(): void {
    this.asked = false;
    this.asker.declines(this.store.robot.value);
    this.actions.giveBack();
  }

  /** Open or close a dialog; nothing is held across that. */
  open(dialog: PageLook["dialog"]["value"]): void {
    this.letGo();
    this.look.dialog.value = dialog;
  }

  act(action: Action): void {
    switch (action) {
      case "reset":
        if (this.store.latched.value) this.actions.reset();
        return;
      case "home":
        return this.actions.home();
      case "mapping":
        return this.actions.nextMapping();
      case "slower":
        return this.actions.speed(-1);
      case "faster":
        return this.actions.speed(1);
      case "plots":
        return this.look.setPlots(this.look.plots.value === "large" ? "small" : "large");
      case "log":
        this.look.drawer.value = this.look.drawer.value === "log" ? "" : "log";
        return;
    }
  }

  /** Let go of everything held, and tell the cell at once. */
  letGo(): void {
    this.hand.release();
    this.handChanged();
  }

  private handChanged(): void {
    this.sender.tick(this.store.model.value, this.store.robot.value);
  }

  private makeLink(): Link {
    return new Link(
      this.identity,
      {
        opening: () => this.store.notice({ type: "opening" }),
        message: (message) => this.heard(message),
        lost: () => this.lost(),
      },
      browserSurroundings(location),
    );
  }

  private heard(message: ToPage): void {
    this.store.heard(message, performance.now());
    switch (message.type) {
      case "Welcome":
        return this.welcomed();
      case "Scene":
        if (this.store.scene.value !== message) return;
        return this.view.setScene(message, meshes(message.cell, this.identity.token));
      case "Update":
        return this.view.update(message);
      case "Signals":
        return this.plots.heard(message);
      case "Answer":
        // Without a number it answers no command: it is a complaint, for the operator to read.
        if (message.id === 0) this.toasts.show(message.text);
        return this.commands.answered(message);
      default:
        return;
    }
  }

  /** Go on with the cell that was watched, else with the first. */
  private welcomed(): void {
    this.asker.renewed();
    const model = this.store.model.value;
    const cell = cellOf(model)?.name ?? model.cells[0]?.name;
    if (cell === undefined) return;
    this.store.notice({ type: "watching", cell });
    this.link.send({ type: "Watch", cell });
  }

  private lost(): void {
    this.store.notice({ type: "lost" });
    this.commands.lost();
    this.hand.release();
  }

  private makeKeyboard(): Keyboard {
    const { store } = this;
    return new Keyboard({
      keys: () => this.keys.keys.value,
      axes: () => store.mapping.value?.axes ?? [],
      moving: () => store.mode.value === "teleoperation" || store.mode.value === "autonomous",
      latched: () => store.latched.value,
      stop: () => void this.actions.stop(),
      act: (action) => this.act(action),
      help: () => this.open("keys"),
      escape: () => this.escape(),
      changed: () => this.handChanged(),
    });
  }

  private escape(): void {
    if (this.look.dialog.value !== "") this.look.dialog.value = "";
    else this.look.drawer.value = "";
  }

  private makePads(): Pads {
    return new Pads({
      devices: () => browserPads(navigator),
      attentive: () => document.hasFocus() && !document.hidden,
      saved: (id) => this.padStore.saved(id),
      push: (push) => (push === "stop" ? void this.actions.stop() : this.act(push)),
      plugged: (ids) => {
        this.padStore.plugged.value = ids;
      },
    });
  }

  private makeDrag(): TipDrag {
    const { store } = this;
    return new TipDrag({
      ways: (robot) => {
        const now = mappingOf(store.model.value, robot)?.name;
        const drag = robotInfo(store.model.value, robot)?.mappings.find((way) => way.kind === "drag-tip")?.name;
        return now === undefined || drag === undefined || !store.commanding.value ? null : { now, drag };
      },
      rotation: (robot) => {
        const [, , , w = 1, x = 0, y = 0, z = 0] = robotNow(store.model.value, robot)?.tip ?? [];
        return [w, x, y, z];
      },
      choose: (robot, mapping) => this.commands.command({ type: "SelectMapping", robot, mapping }),
      changed: () => this.handChanged(),
    });
  }

  private listenToHand(): void {
    window.addEventListener("keydown", (event) => {
      this.keys.learn(event.code, event.key, event.shiftKey);
      this.keyboard.down(event, focusOf(event.target, this.look.dialog.value !== ""));
    });
    window.addEventListener("keyup", (event) => this.keyboard.up(event));
    whenLeft(window, document, () => this.letGo());
    setInterval(() => {
      this.pads.poll();
      this.handChanged();
    }, HAND_EVERY);
    void this.keys.learnLayout(navigator);
  }

  private tieView(): void {
    const { store, view, look } = this;
    view.onStats((stats) => {
      this.stats.value = stats;
    });
    view.onDrag(({ phase, robot, position }) => {
      if (phase === "start") void this.drag.start(robot, position);
      else if (phase === "move") this.drag.move(position);
      else this.drag.end();
    });
    effect(() => view.setOptions(look.options.value));
    effect(() => view.setDimmed(store.stalled.value !== null));
    effect(() => view.setDraggable(this.draggable()));
  }

  private draggable(): string | null {
    const { store } = this;
    const can = store.info.value?.mappings.some((way) => way.kind === "drag-tip") === true;
    return can && store.commanding.value && !store.latched.value ? store.robot.value : null;
  }
}
