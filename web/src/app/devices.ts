/** The operator's devices: keys, gamepads, sticks, pointer, a hand in the room; together one hand that is sent. */

import type { Drag } from "../view/index.ts";
import { TipDrag } from "../hand/tipDragInput.ts";
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
import { LAYOUT_WORDS } from "../hand/padLayouts.ts";
import { Sender } from "../hand/readingSender.ts";
import { browserHid, SpaceMice } from "../hand/spaceMouseDevices.ts";
import { Sticks } from "../hand/touchSticks.ts";
import type { Commands } from "../link/commands.ts";
import { isLedHere, mappingOf, masterNow, robotInfo, robotNow } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import { poseHindrance } from "../state/status.ts";
import { meantPose } from "../view/masterScene.ts";
import type { FromPage, Pose } from "../wire.gen.ts";

/** Milliseconds between two readings of the hand. */
const HAND_EVERY = 16;

/** What the devices need of the page. */
export interface Surface {
  readonly store: Store;
  readonly keys: KeyStore;
  readonly padStore: PadStore;
  readonly commands: Commands;
  /** Send a reading, unless it would only queue up. */
  sendFresh(message: FromPage): boolean;
  dialogOpen(): boolean;
  /** How the operator's eye is turned in a robot's base frame. */
  eyeIn(robot: string): [number, number, number, number] | null;
  /** Newest tick of which the operator sees the picture; -1 where the page draws none. */
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
  private readonly drag: TipDrag;
  private readonly hand: Hand;
  private readonly sender: Sender;

  constructor(private readonly surface: Surface) {
    this.keyboard = this.makeKeyboard();
    this.spaceMice = new SpaceMice(browserHid(navigator), (text) => surface.tell(text));
    this.pads = this.makePads();
    this.headset = this.makeHeadset();
    this.drag = this.makeDrag();
    this.hand = new Hand([this.keyboard, this.pads, this.sticks, this.drag, this.headset, this.lead], () => this.alone());
    this.sender = new Sender(
      this.hand,
      (message) => surface.sendFresh(message),
      (robot) => surface.eyeIn(robot),
      () => performance.now(),
      () => surface.tell("The connection stalled as you pressed. Let go, then press again."),
      () => surface.shown(),
    );
  }

  /** Listen to the operator from now on. */
  start(): void {
    const { keys } = this.surface;
    window.addEventListener("keydown", (event) => {
      keys.learn(event.code, event.key, event.shiftKey);
      this.keyboard.down(event, focusOf(event.target, this.surface.dialogOpen()));
    });
    window.addEventListener("keyup", (event) => this.keyboard.up(event));
    whenLeft(window, document, () => this.letGo());
    setInterval(() => {
      this.pads.poll();
      this.changed();
    }, HAND_EVERY);
    void keys.learnLayout(navigator);
    void this.spaceMice.start();
    void this.headset.look();
  }

  /** Let go of everything held, and tell the cell at once. */
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

  /** The master's tip is dragged in its own picture: it keeps its direction. */
  leadTip(position: [number, number, number]): void {
    const pose = this.meant();
    if (pose !== null) this.lead.tip({ ...pose, position });
  }

  /** Move the master alone, or the robot with it; what is held means something else then. */
  leadAlone(alone: boolean): void {
    this.letGo();
    this.lead.alone.value = alone;
  }

  /** Where the master is meant to be that this page leads. */
  private meant(): Pose | null {
    const { model, robot, master } = this.surface.store;
    const now = isLedHere(master.value) ? masterNow(model.value, robot.value) : null;
    return now === null ? null : meantPose(now);
  }

  private alone(): boolean {
    return this.lead.alone.value && this.surface.store.leadsMaster.value;
  }

  private changed(): void {
    const { store } = this.surface;
    this.sender.tick(store.model.value, store.robot.value);
  }

  private makeKeyboard(): Keyboard {
    const { surface } = this;
    const { store, keys } = surface;
    return new Keyboard({
      keys: () => keys.keys.value,
      axes: () => store.axes.value,
      moving: () => store.mode.value === "teleoperation" || store.mode.value === "autonomous",
      latched: () => store.latched.value,
      stop: () => surface.stop(),
      act: (action) => surface.act(action),
      talk: (held) => surface.talk(held),
      help: () => surface.help(),
      escape: () => surface.escape(),
      pressed: () => this.pressed(),
      changed: () => this.changed(),
    });
  }

  /** Say why a key moves nothing, where nothing else does. */
  private pressed(): void {
    const { store, tell } = this.surface;
    if (store.lease.value !== null && !store.mine.value) tell("Keys move nothing while you do not hold control.");
  }

  private makePads(): Pads {
    const { surface } = this;
    return new Pads({
      devices: () => [...browserPads(navigator), ...this.spaceMice.states()],
      attentive: () => document.hasFocus() && !document.hidden,
      saved: (id) => surface.padStore.saved(id),
      push: (push) => (push === "stop" ? surface.stop() : surface.act(push)),
      plugged: (ids) => this.plugged(ids),
    });
  }

  /** Browsers show a device from its first press on: that one moves nothing, so say that it was seen. */
  private plugged(ids: readonly string[]): void {
    const { padStore, tell } = this.surface;
    const before = padStore.plugged.value;
    padStore.plugged.value = ids;
    for (const id of ids.filter((each) => !before.includes(each))) {
      const pad = this.pads.state(id);
      const taught = padStore.saved(id) !== null;
      const how = taught ? "Let go, then hold its enabling button to move." : LAYOUT_WORDS[pad?.layout ?? ""].how;
      tell(`${id} is connected. ${how}`);
    }
  }

  private makeHeadset(): Headset {
    const { store, tell } = this.surface;
    return new Headset(navigator.xr ?? null, {
      led: () => poseHindrance(store.info.value, store.mapping.value, store.master.value) === null,
      master: () => this.meant(),
      clock: () => performance.now(),
      tell: (text) => tell(text),
      changed: () => this.changed(),
    });
  }

  private makeDrag(): TipDrag {
    const { store, commands } = this.surface;
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
      choose: (robot, mapping) => commands.command({ type: "SelectMapping", robot, mapping }),
      changed: () => this.changed(),
    });
  }
}
