/** The operator's actions, each as one call. A refusal is shown in the server's words. */

import { texts } from "../language/language.ts";
import type { Answer, FromPage, Generator, KeptMove, Reconfigure, Teach } from "../wire.gen.ts";
import type { Commands, Event } from "../link/commands.ts";
import type { Mode } from "../hand/axesAndActions.ts";
import type { Degrading } from "../state/degradations.ts";
import { isLedHere, mappingOf, masterInfo, modeOf, robotInfo, robotNow } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import { scaleAfter } from "../state/motionScales.ts";
import type { Heading } from "../state/cameraWall.ts";
import { stopHindrance } from "../state/status.ts";
import type { Toasts } from "./toasts.ts";

/** How long a requested value counts as current, ms: the cell confirms it a moment later. */
const PENDING_MS = 1000;

/** A value that was requested of the cell. */
interface Requested<T> {
  readonly robot: string;
  readonly value: T;
  readonly at: number;
}

export class Actions {
  private level: Requested<number> | null = null;
  private mapping: Requested<string> | null = null;
  private scaled: Requested<number> | null = null;
  /** The last control mode of each robot's arm. */
  private readonly armModes = new Map<string, string>();

  constructor(
    private readonly store: Store,
    private readonly commands: Commands,
    private readonly send: (message: FromPage) => boolean,
    private readonly toasts: Toasts,
    /** Releases everything held and tells the cell. */
    private readonly release: () => void,
  ) {}

  /** Stop every robot of the cell, whether or not this page drives. */
  async stop(): Promise<void> {
    this.release();
    const hindrance = stopHindrance(this.store.model.value);
    if (hindrance !== null) {
      this.toasts.show(hindrance, true);
      return;
    }
    const answer = await this.commands.command({ type: "Stop" });
    if (!answer.ok) this.toasts.show(texts().stop.unconfirmed(answer.text), true);
  }

  reset = (): void => void this.do({ type: "Reset", robot: this.robot });
  home = (): void => void this.do({ type: "MoveJoints", robot: this.robot });
  power = (on: boolean): void => void this.do({ type: "Power", robot: this.robot, on });
  zeroWrist = (): void => void this.do({ type: "ZeroWrist", robot: this.robot });
  changeTool = (tool: string): Promise<Answer> => this.do({ type: "ChangeTool", robot: this.robot, tool });
  backOut = (): void => void this.do({ type: "FreeMe", robot: this.robot });
  hold = (): void => void this.do({ type: "HoldHere", robot: this.robot });
  continue = (): void => void this.do({ type: "Continue", robot: this.robot });
  resetRobot = (): void => void this.do({ type: "ResetRobot", robot: this.robot });
  /** Put loose objects back: all, or one by its name. */
  resetObjects = (name = ""): void => void this.do({ type: "ResetObjects", name });
  ask = (): void => void this.send({ type: "Ask", robot: this.robot });
  takeOver = (): void => void this.send({ type: "TakeOver", robot: this.robot });
  handOver = (viewer: number): void => void this.send({ type: "Yield", robot: this.robot, viewer });
  keep = (viewer: number): void => void this.send({ type: "Refuse", robot: this.robot, viewer });

  /** Send a viewer away; the server keeps instructors, the owner and operators in control. */
  async sendAway(viewer: number): Promise<void> {
    this.reported(await this.commands.sendAway(viewer));
  }

  /** Release control, or withdraw the request for it. */
  releaseControl(): void {
    this.release();
    this.send({ type: "Release", robot: this.robot });
  }

  /** Choose a control mode. Everything held is released: it would mean something else in the new mode. */
  async choose(mapping: string): Promise<Answer> {
    this.release();
    this.mapping = { robot: this.robot, value: mapping, at: performance.now() };
    const answer = await this.do({ type: "SelectMapping", robot: this.robot, mapping });
    if (!answer.ok) this.mapping = null;
    return answer;
  }

  /** Switch to the next control mode that keys and sticks can drive in. */
  nextMapping(): void {
    const model = this.store.model.value;
    const led = isLedHere(masterInfo(model, this.robot));
    const modes = robotInfo(model, this.robot)?.mappings.filter((mapping) => led || mapping.axes.length > 0) ?? [];
    const now = this.pending(this.mapping) ?? mappingOf(model, this.robot)?.name;
    const at = modes.findIndex((mapping) => mapping.name === now);
    const next = modes[(at + 1) % Math.max(1, modes.length)];
    if (next !== undefined) void this.choose(next.name);
  }

  /** Drive another part of a robot on tracks. The arm returns in its last control mode; again: in the next one. */
  mode(mode: Mode): void {
    const model = this.store.model.value;
    const info = robotInfo(model, this.robot);
    if ((info?.tracks ?? null) === null || info === null) return;
    const mappings = info.mappings.filter((mapping) => modeOf(mapping) === mode && mapping.axes.length > 0);
    const now = this.pending(this.mapping) ?? mappingOf(model, this.robot)?.name;
    const at = mappings.findIndex((mapping) => mapping.name === now);
    if (at >= 0 && mode === "arm") this.armModes.set(this.robot, mappings[(at + 1) % mappings.length]?.name ?? "");
    const last = mappings.find((mapping) => mode === "arm" && mapping.name === this.armModes.get(this.robot));
    const next = last ?? mappings[0];
    if (next === undefined || next.name === now) return;
    if (mode === "arm") this.armModes.set(this.robot, next.name);
    void this.choose(next.name);
  }

  /** Aim a camera's head. */
  aim(robot: string, camera: string, { pan, tilt, zoom }: Heading): void {
    void this.do({ type: "AimCamera", robot, camera, pan, tilt, zoom });
  }

  /** Degrade a camera's picture; empty settings restore it. */
  degrade(camera: string, how: Degrading): void {
    void this.do({ type: "DegradeCamera", robot: this.robot, camera, ...how });
  }

  /** Set the parking brake, or release it. */
  park(): void {
    const tracks = robotNow(this.store.model.value, this.robot)?.tracks ?? null;
    if (tracks !== null) void this.do({ type: "Park", robot: this.robot, on: !tracks.parked });
  }

  /** Change the speed by some levels, within those of the robot. */
  speed(by: number): void {
    const model = this.store.model.value;
    const now = robotNow(model, this.robot);
    const speeds = robotInfo(model, this.robot)?.speeds;
    if (now === null || speeds === undefined) return;
    const from = this.pending(this.level) ?? now.level;
    const level = Math.max(1, Math.min(speeds.length, from + by));
    if (level === from) return;
    this.level = { robot: this.robot, value: level, at: performance.now() };
    void this.do({ type: "SetSpeed", robot: this.robot, level }).then(({ ok }) => {
      if (!ok) this.level = null;
    });
  }

  /** Choose the motion scale. */
  scale(scale: number): void {
    this.scaled = { robot: this.robot, value: scale, at: performance.now() };
    void this.do({ type: "SetScale", robot: this.robot, scale }).then(({ ok }) => {
      if (!ok) this.scaled = null;
    });
  }

  /** Switch to the next motion scale; the first follows the last. */
  nextScale(): void {
    const model = this.store.model.value;
    const scales = robotInfo(model, this.robot)?.scales ?? [];
    const now = this.pending(this.scaled) ?? robotNow(model, this.robot)?.scale ?? 1;
    const next = scaleAfter(scales, now);
    if (next !== null) this.scale(next);
  }

  /** Teach a path: record, add a point, save it under a name, or discard it. */
  teach(action: Teach["action"], name = ""): Promise<Answer> {
    return this.do({ type: "Teach", robot: this.robot, action, name });
  }

  /** Run, rename or delete a taught path. */
  async keptMove(action: KeptMove["action"], name: string, to = ""): Promise<Answer> {
    return this.reported(await this.commands.keptMove({ robot: this.robot, action, name, to }));
  }

  /** Restart the watched cell after it crashed too often. */
  async restart(): Promise<Answer> {
    return this.reported(await this.commands.restart());
  }

  /** Change the settings of a part of the control; null removes the part or restores it from the cell file. */
  reconfigure(part: Reconfigure["part"], name: string, settings: Record<string, unknown> | null): Promise<Answer> {
    return this.do({ type: "Reconfigure", robot: this.robot, part, name, settings });
  }

  switchFilter(filter: string, on: boolean): void {
    void this.do({ type: "SwitchFilter", robot: this.robot, filter, on });
  }

  switchFeedforward(on: boolean): void {
    void this.do({ type: "SwitchFeedforward", robot: this.robot, on });
  }

  /** Let a signal generator deflect an axis in place of the hand; null switches it off. */
  generate(generator: Generator | null): void {
    void this.do({ type: "Generate", robot: this.robot, generator });
  }

  /** Send an event; show a message if it is refused. */
  async do(event: Event): Promise<Answer> {
    return this.reported(await this.commands.command(event));
  }

  private reported(answer: Answer): Answer {
    if (!answer.ok && answer.text !== "") this.toasts.show(answer.text);
    return answer;
  }

  /** Return a value requested a moment ago, so that quick presses add up; null if there is none. */
  private pending<T>(requested: Requested<T> | null): T | null {
    const fresh = requested !== null && requested.robot === this.robot && performance.now() - requested.at < PENDING_MS;
    return fresh ? requested.value : null;
  }

  private get robot(): string {
    return this.store.robot.value;
  }
}
