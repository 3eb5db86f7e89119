/** The plots: the chosen signals, their samples, and the pause. */

import { computed, effect, signal } from "@preact/signals";
import type { FromPage, SignalInfo, Signals } from "../wire.gen.ts";
import type { Settings } from "../state/settings.ts";
import type { Store } from "../state/store.ts";
import { MAX_PLOTS, SPANS, firstChoice, followed, isChoice, isSpan, known, toggled, union, type PlotChoice, type Span } from "./plotSelection.ts";
import { SampleTable } from "./sampleTable.ts";

const MAX_SPAN_S = Math.max(...SPANS);

export class Plots {
  readonly choice = signal<readonly PlotChoice[]>([]);
  readonly span = signal<Span>(10);
  /** The tick at which the plots were paused, or null while they run. */
  readonly pausedAt = signal<number | null>(null);
  readonly signals = computed<readonly SignalInfo[]>(() => this.store.scene.value?.signals ?? []);
  private readonly wanted = computed(() => union(this.choice.value).join("\n"));
  private table = new SampleTable(1, 1);
  private cell = "";
  /** The picked robot. */
  private robot = "";

  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly send: (message: FromPage) => boolean,
  ) {
    this.span.value = settings.load("plots.span", isSpan) ?? 10;
    effect(() => this.prepare());
    effect(() => this.follow(this.store.robot.value));
    effect(() => this.listen());
  }

  /** Take samples from the server. */
  heard(message: Signals): void {
    const bytes = message.values.slice();
    const values = new Float32Array(bytes.buffer);
    if (this.store.replay.peek() === null) this.table.append(message.tick, message.names, values);
    else this.table.merge(message.tick, message.names, values);
  }

  /** Return the samples of these signals that are shown now. */
  window(names: readonly string[]): ReturnType<SampleTable["window"]> {
    return this.table.window(names, this.span.value, this.pausedAt.value ?? this.replayed);
  }

  /** Time at the right edge of the plots, s. */
  get edge(): number {
    return (this.pausedAt.value ?? this.replayed ?? this.table.newest ?? 0) * this.table.timestep;
  }

  /** Tick of the present moment of a replay, which may lie before the newest sample; null in a live cell. */
  private get replayed(): number | null {
    const { playback, tick } = this.store.model.peek().now ?? { playback: null, tick: 0 };
    return playback === null ? null : tick;
  }

  toggle(plot: number, name: string): boolean {
    const next = toggled(this.choice.value, plot, name);
    const done = next !== this.choice.value;
    this.choose(next);
    return done;
  }

  add(): void {
    if (this.choice.value.length < MAX_PLOTS) this.choose([...this.choice.value, []]);
  }

  remove(plot: number): void {
    this.choose(this.choice.value.filter((_, index) => index !== plot));
  }

  setSpan(span: Span): void {
    this.span.value = span;
    this.settings.save("plots.span", span);
  }

  pause(): void {
    this.pausedAt.value = this.pausedAt.value === null ? this.table.newest : null;
  }

  info(name: string): SignalInfo {
    const found = this.signals.value.find((signal) => signal.name === name);
    return found ?? { name, label: name, unit: "", group: "" };
  }

  /** True where signal titles need the name of their robot. */
  get severalRobots(): boolean {
    return (this.store.scene.value?.robots.length ?? 0) > 1;
  }

  private choose(choice: readonly PlotChoice[]): void {
    this.choice.value = choice;
    this.settings.save(this.settingsName, choice);
  }

  private get settingsName(): string {
    return `plots.of.${this.cell}`;
  }

  /** Restore the saved choice for a new scene, as far as its signals still exist. */
  private prepare(): void {
    const scene = this.store.scene.value;
    if (scene === null) return;
    const other = scene.cell !== this.cell;
    this.cell = scene.cell;
    if (other || scene.timestep !== this.table.timestep) {
      this.table = new SampleTable(Math.ceil(MAX_SPAN_S / scene.timestep) + 1, scene.timestep);
      this.pausedAt.value = null;
    }
    if (!other) return;
    const saved = this.settings.load(this.settingsName, isChoice);
    const first = firstChoice(scene.signals, this.store.robot.peek());
    this.choice.value = saved === null ? first : known(saved, scene.signals);
  }

  /** Show the same plots of another robot; the saved choice stays. */
  private follow(robot: string): void {
    const before = this.robot;
    this.robot = robot;
    if (before === "" || before === robot) return;
    this.choice.value = followed(this.choice.peek(), before, robot, this.signals.peek());
  }

  /** Request the chosen signals, again after each connection and with each scene. */
  private listen(): void {
    const names = this.wanted.value.split("\n").filter((name) => name !== "");
    if (this.store.phase.value !== "open" || this.store.scene.value === null) return;
    this.table.keep(names);
    this.send({ type: "Listen", signals: names });
  }
}
