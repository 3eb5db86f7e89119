/** What the operator can ask for, each as one call. Whatever is refused is said, in the server's words. */

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

/** For so long (ms) what was asked for counts as what is: the cell's word comes a moment later. */
const UNDERWAY = 1000;

interface Asked<T> {
  readonly robot: string;
  readonly value: T;
  readonly at: number;
}

export class Actions {
  private level: Asked<number> | null = null;
  private mapping: Asked<string> | null = null;
  private scaled: Asked<number> | null = null;
  /** The way in which each robot's arm was led last. */
  private readonly armWays = new Map<string, string>();

  constructor(
    private readonly store: Store,
    private readonly commands: Commands,
    private readonly send: (message: FromPage) => boolean,
    private readonly toasts: Toasts,
    /** Lets go of everything held and tells the cell. */
    private readonly release: () => void,
  ) {}

  /** Stop every robot of the cell, whoever drives. */
  async stop(): Promise<void> {
    this.release();
    const hindrance = stopHindrance(this.store.model.value);
    if (hindrance !== null) {
      this.toasts.show(hindrance, true);
      return;
    }
    const answer = await this.commands.command({ type: "Stop" });
    if (!answer.ok) this.toasts.show(`Stop was sent, but is not confirmed. ${answer.text}`, true);
  }

  reset = (): void => void this.do({ type: "Reset", robot: this.robot });
  home = (): void => void this.do({ type: "MoveJoints", robot: this.robot });
  power = (on: boolean): void => void this.do({ type: "Power", robot: this.robot, on });
  zeroWrist = (): void => void this.do({ type: "ZeroWrist", robot: this.robot });
  changeTool = (tool: string): Promise<Answer> => this.do({ type: "ChangeTool", robot: this.robot, tool });
  free = (): void => void this.do({ type: "FreeMe", robot: this.robot });
  hold = (): void => void this.do({ type: "HoldHere", robot: this.robot });
  goOn = (): void => void this.do({ type: "Continue", robot: this.robot });
  resetRobot = (): void => void this.do({ type: "ResetRobot", robot: this.robot });
  /** Put loose objects back to where they began: all, or one by its name. */
  resetObjects = (name = ""): void => void this.do({ type: "ResetObjects", name });
  ask = (): void => void this.send({ type: "Ask", robot: this.robot });
  takeOver = (): void => void this.send({ type: "TakeOver", robot: this.robot });
  handOver = (viewer: number): void => void this.send({ type: "Yield", robot: this.robot, viewer });
  keep = (viewer: number): void => void this.send({ type: "Refuse", robot: this.robot, viewer });

  /** Send a viewer away; instructors, the owner and whoever controls a robot stay. */
  async sendAway(viewer: number): Promise<void> {
    this.told(await this.commands.sendAway(viewer));
  }

  /** Give the control back, or take back that it was asked for. */
  giveBack(): void {
    this.release();
    this.send({ type: "Release", robot: this.robot });
  }

  /** Choose a way to drive. What is held would mean something else in it, so nothing is. */
  async choose(mapping: string): Promise<Answer> {
    this.release();
    this.mapping = { robot: this.robot, value: mapping, at: performance.now() };
    const answer = await this.do({ type: "SelectMapping", robot: this.robot, mapping });
    if (!answer.ok) this.mapping = null;
    return answer;
  }

  /** Go on to the next way to drive that keys and sticks can lead. */
  nextMapping(): void {
    const model = this.store.model.value;
    const led = isLedHere(masterInfo(model, this.robot));
    const ways = robotInfo(model, this.robot)?.mappings.filter((mapping) => led || mapping.axes.length > 0) ?? [];
    const now = this.underway(this.mapping) ?? mappingOf(model, this.robot)?.name;
    const at = ways.findIndex((mapping) => mapping.name === now);
    const next = ways[(at + 1) % Math.max(1, ways.length)];
    if (next !== undefined) void this.choose(next.name);
  }

  /** Lead another part of a robot on tracks. The arm is led as it was last; asked again, in the next of its ways. */
  mode(mode: Mode): void {
    const model = this.store.model.value;
    const info = robotInfo(model, this.robot);
    if ((info?.tracks ?? null) === null || info === null) return;
    const ways = info.mappings.filter((mapping) => modeOf(mapping) === mode && mapping.axes.length > 0);
    const now = this.underway(this.mapping) ?? mappingOf(model, this.robot)?.name;
    const at = ways.findIndex((mapping) => mapping.name === now);
    if (at >= 0 && mode === "arm") this.armWays.set(this.robot, ways[(at + 1) % ways.length]?.name ?? "");
    const last = ways.find((mapping) => mode === "arm" && mapping.name === this.armWays.get(this.robot));
    const next = last ?? ways[0];
    if (next === undefined || next.name === now) return;
    if (mode === "arm") this.armWays.set(this.robot, next.name);
    void this.choose(next.name);
  }

  /** Have a camera's head look elsewhere. */
  aim(robot: string, camera: string, { pan, tilt, zoom }: Heading): void {
    void this.do({ type: "AimCamera", robot, camera, pan, tilt, zoom });
  }

  /** Make a camera's picture worse on purpose; with nothing, as good as it was. */
  degrade(camera: string, how: Degrading): void {
    void this.do({ type: "DegradeCamera", robot: this.robot, camera, ...how });
  }

  /** Set the parking brake, or release it. */
  park(): void {
    const tracks = robotNow(this.store.model.value, this.robot)?.tracks ?? null;
    if (tracks !== null) void this.do({ type: "Park", robot: this.robot, on: !tracks.parked });
  }

  /** Go some speed levels up or down, as far as there are any. */
  speed(by: number): void {
    const model = this.store.model.value;
    const now = robotNow(model, this.robot);
    const speeds = robotInfo(model, this.robot)?.speeds;
    if (now === null || speeds === undefined) return;
    const from = this.underway(this.level) ?? now.level;
    const level = Math.max(1, Math.min(speeds.length, from + by));
    if (level === from) return;
    this.level = { robot: this.robot, value: level, at: performance.now() };
    void this.do({ type: "SetSpeed", robot: this.robot, level }).then(({ ok }) => {
      if (!ok) this.level = null;
    });
  }

  /** Choose how far the robot goes for a way of the hand. */
  scale(scale: number): void {
    this.scaled = { robot: this.robot, value: scale, at: performance.now() };
    void this.do({ type: "SetScale", robot: this.robot, scale }).then(({ ok }) => {
      if (!ok) this.scaled = null;
    });
  }

  /** Go on to the next of the scales that the robot offers; the first follows the last. */
  nextScale(): void {
    const model = this.store.model.value;
    const scales = robotInfo(model, this.robot)?.scales ?? [];
    const now = this.underway(this.scaled) ?? robotNow(model, this.robot)?.scale ?? 1;
    const next = scaleAfter(scales, now);
    if (next !== null) this.scale(next);
  }

  /** Teach a move: record, add a point, finish it under a name, or discard it. */
  teach(action: Teach["action"], name = ""): Promise<Answer> {
    return this.do({ type: "Teach", robot: this.robot, action, name });
  }

  /** Run, rename or delete a path that was taught. */
  async keptMove(action: KeptMove["action"], name: string, to = ""): Promise<Answer> {
    return this.told(await this.commands.keptMove({ robot: this.robot, action, name, to }));
  }

  /** Have the cell tried again that is watched, and has ended too often. */
  async restart(): Promise<Answer> {
    return this.told(await this.commands.restart());
  }

  /** Change how the robot is driven: a part gets other settings; null takes it out, or back to the cell file. */
  reconfigure(part: Reconfigure["part"], name: string, settings: Record<string, unknown> | null): Promise<Answer> {
    return this.do({ type: "Reconfigure", robot: this.robot, part, name, settings });
  }

  switchFilter(filter: string, on: boolean): void {
    void this.do({ type: "SwitchFilter", robot: this.robot, filter, on });
  }

  switchFeedforward(on: boolean): void {
    void this.do({ type: "SwitchFeedforward", robot: this.robot, on });
  }

  /** Let a signal generator deflect an axis in place of the hand; null takes it away. */
  generate(generator: Generator | null): void {
    void this.do({ type: "Generate", robot: this.robot, generator });
  }

  /** Send an event and say so if it was refused. */
  async do(event: Event): Promise<Answer> {
    return this.told(await this.commands.command(event));
  }

  private told(answer: Answer): Answer {
    if (!answer.ok && answer.text !== "") this.toasts.show(answer.text);
    return answer;
  }

  /** Return what was asked for a moment ago, so that quick presses add up; null if nothing was. */
  private underway<T>(asked: Asked<T> | null): T | null {
    const fresh = asked !== null && asked.robot === this.robot && performance.now() - asked.at < UNDERWAY;
    return fresh ? asked.value : null;
  }

  private get robot(): string {
    return this.store.robot.value;
  }
}
