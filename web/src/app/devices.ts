/** The operator's devices: keys, gamepads, sticks, pointer, headset; together one hand whose readings are sent. */

import { texts } from "../language/language.ts";
import type { Drag } from "../view/index.ts";
import { TipDragInput } from "../hand/tipDragInput.ts";
import { focusOf } from "../hand/keyFocus.ts";
import type { Action } from "../hand/axesAndActions.ts";
import { Hand } from "../hand/hand.ts";
import { Headset } from "../hand/headset.ts";
import { Keyboard } from "../hand/keyboard.ts";
import type { KeyStore } from "../hand/keyStore.ts";
import { whenLeft } from "../hand/operatorLeft.ts";
import { MasterLead } from "../hand/masterLeader.ts";
import { browserPads, Pads } from "../hand/pads.ts";
import type { PadStore } from "../hand/padStore.ts";
import { layoutText } from "../hand/padLayouts.ts";
import { ReadingSender } from "../hand/readingSender.ts";
import { browserHid, SpaceMice } from "../hand/spaceMouseDevices.ts";
import { Sticks } from "../hand/touchSticks.ts";
import type { Commands } from "../link/commands.ts";
import { isLedHere, mappingOf, masterNow, robotInfo, robotNow } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import { poseHindrance } from "../state/status.ts";
import { meantPose } from "../view/masterScene.ts";
import type { FromPage, Pose } from "../wire.gen.ts";

/** Time between two readings of the hand, ms. */
const READING_EVERY_MS = 16;

/** The part of the page that the devices need. */
export interface DeviceHost {
  readonly store: Store;
  readonly keys: KeyStore;
  readonly padStore: PadStore;
  readonly commands: Commands;
  /** Send a reading, unless it would only queue up. */
  sendFresh(message: FromPage): boolean;
  dialogOpen(): boolean;
  /** Return the rotation of the operator's eye in a robot's base frame. */
  eyeIn(robot: string): [number, number, number, number] | null;
  /** Return the newest tick whose picture is shown; -1 where the page draws none. */
  shown(): number;
  /** Show a short message. */
  readonly tell: (text: string) => void;
  stop(): void;
  act(action: Action): void;
  talk(held: boolean): void;
  help(): void;
  escape(): void;
}

export class Devices {
  readonly pads: Pads;
  readonly sticks = new Sticks(() => this.changed());
  readonly lead = new MasterLead(() => this.changed());
  readonly spaceMice: SpaceMice;
  readonly headset: Headset;
  private readonly keyboard: Keyboard;
  private readonly drag: TipDragInput;
  private readonly hand: Hand;
  private readonly sender: ReadingSender;

  constructor(private readonly host: DeviceHost) {
    this.keyboard = this.makeKeyboard();
    this.spaceMice = new SpaceMice(browserHid(navigator), (text) => host.tell(text));
    this.pads = this.makePads();
    this.headset = this.makeHeadset();
    this.drag = this.makeDrag();
    this.hand = new Hand([this.keyboard, this.pads, this.sticks, this.drag, this.headset, this.lead], () => this.alone());
    this.sender = new ReadingSender(
      this.hand,
      (message) => host.sendFresh(message),
      (robot) => host.eyeIn(robot),
      () => performance.now(),
      () => host.tell(texts().control.pressStalled),
      () => host.shown(),
    );
  }

  /** React to the operator from now on. */
  start(): void {
    const { keys } = this.host;
    window.addEventListener("keydown", (event) => {
      keys.learn(event.code, event.key, event.shiftKey);
      this.keyboard.down(event, focusOf(event.target, this.host.dialogOpen()));
    });
    window.addEventListener("keyup", (event) => this.keyboard.up(event));
    whenLeft(window, document, () => this.letGo());
    setInterval(() => {
      this.pads.poll();
      this.changed();
    }, READING_EVERY_MS);
    void keys.learnLayout(navigator);
    void this.spaceMice.start();
    void this.headset.detect();
  }

  /** Release everything held, and tell the cell at once. */
  letGo(): void {
    this.hand.release();
    this.changed();
  }

  /** The tip is dragged in the view. */
  dragged({ phase, robot, position }: Drag): void {
    if (phase === "start") void this.drag.start(robot, position);
    else if (phase === "move") this.drag.move(position);
    else this.drag.end();
  }

  /** The master's tip is dragged in its own view: it keeps its rotation. */
  leadTip(position: [number, number, number]): void {
    const pose = this.meant();
    if (pose !== null) this.lead.tip({ ...pose, position });
  }

  /** Move the master alone, or the robot with it. Everything held is released: it would mean something else. */
  leadAlone(alone: boolean): void {
    this.letGo();
    this.lead.alone.value = alone;
  }

  /** Return the intended pose of the master that this page moves. */
  private meant(): Pose | null {
    const { model, robot, master } = this.host.store;
    const now = isLedHere(master.value) ? masterNow(model.value, robot.value) : null;
    return now === null ? null : meantPose(now);
  }

  private alone(): boolean {
    return this.lead.alone.value && this.host.store.leadsMaster.value;
  }

  private changed(): void {
    const { store } = this.host;
    this.sender.tick(store.model.value, store.robot.value);
  }

  private makeKeyboard(): Keyboard {
    const { host } = this;
    const { store, keys } = host;
    return new Keyboard({
      keys: () => keys.keys.value,
      axes: () => store.axes.value,
      moving: () => store.mode.value === "teleoperation" || store.mode.value === "autonomous",
      latched: () => store.latched.value,
      stop: () => host.stop(),
      act: (action) => host.act(action),
      talk: (held) => host.talk(held),
      help: () => host.help(),
      escape: () => host.escape(),
      pressed: () => this.pressed(),
      changed: () => this.changed(),
    });
  }

  /** Tell the operator why a key has no effect. */
  private pressed(): void {
    const { store, tell } = this.host;
    if (store.lease.value !== null && !store.mine.value) tell(texts().control.keysWithout);
  }

  private makePads(): Pads {
    const { host } = this;
    return new Pads({
      devices: () => [...browserPads(navigator), ...this.spaceMice.states()],
      attentive: () => document.hasFocus() && !document.hidden,
      saved: (id) => host.padStore.saved(id),
      push: (push) => (push === "stop" ? host.stop() : host.act(push)),
      plugged: (ids) => this.plugged(ids),
    });
  }

  /** Tell the operator that a device was found: browsers report it at its first press, which moves nothing. */
  private plugged(ids: readonly string[]): void {
    const { padStore, tell } = this.host;
    const before = padStore.plugged.value;
    padStore.plugged.value = ids;
    for (const id of ids.filter((each) => !before.includes(each))) {
      const pad = this.pads.state(id);
      const taught = padStore.saved(id) !== null;
      const layout = pad?.layout ?? "";
      const { connected, connectedTaught, connectedUnknown } = texts().devices;
      tell(connected(id, taught ? connectedTaught : layout === "" ? connectedUnknown : layoutText(layout).how));
    }
  }

  private makeHeadset(): Headset {
    const { store, tell } = this.host;
    return new Headset(navigator.xr ?? null, {
      led: () => poseHindrance(store.info.value, store.mapping.value, store.master.value) === null,
      master: () => this.meant(),
      clock: () => performance.now(),
      tell: (text) => tell(text),
      changed: () => this.changed(),
    });
  }

  private makeDrag(): TipDragInput {
    const { store, commands } = this.host;
    return new TipDragInput({
      modes: (robot) => {
        const now = mappingOf(store.model.value, robot)?.name;
        const drag = robotInfo(store.model.value, robot)?.mappings.find((mapping) => mapping.kind === "drag-tip")?.name;
        return now === undefined || drag === undefined || !store.commanding.value ? null : { now, drag };
      },
      rotation: (robot) => {
        const [, , , w = 1, x = 0, y = 0, z = 0] = robotNow(store.model.value, robot)?.tip ?? [];
        return [w, x, y, z];
      },
      choose: (robot, mapping) => commands.command({ type: "SelectMapping", robot, mapping }),
      changed: () => this.changed(),
    });
  }
}
