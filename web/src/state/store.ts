/** The model as signals, so that a component is redrawn only when the part that it shows changes. */

import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { GRANTS, type MoveInfo, type Right, type ToPage } from "../wire.gen.ts";
import { moveHindrance, powerHindrance, resetHindrance } from "./disabledReasons.ts";
import { initial, type MasterNow, type Model, type RobotNow } from "./model.ts";
import { notice, reduce, type PageEvent } from "./reduce.ts";
import {
  allNotes,
  cellOf,
  firstRobot,
  handAxes,
  holds,
  latched,
  leadsMaster,
  leaseOf,
  mappingOf,
  masterInfo,
  masterNow,
  robotInfo,
  robotNow,
  stalledFor,
} from "./selectors.ts";

/** Time between two drawings of changing numbers, ms; longer without a graphics card. */
const SHOWN_EVERY_MS = 40;
const CALM_EVERY_MS = 80;

const NO_MOVES: readonly MoveInfo[] = [];

export class Store {
  readonly model;
  /** The robot that the operator has picked; it may be gone after an edit of the cell. */
  readonly picked = signal("");
  /** Page time, ms, updated ten times per second. */
  readonly clock;
  /** The state of the picked robot, updated a little less often than it arrives. */
  readonly shown = signal<RobotNow | null>(null);
  /** Likewise that of its master. */
  readonly shownMaster = signal<MasterNow | null>(null);
  readonly factor = signal(1);
  /** Numbers are drawn less often: the processor draws everything, and the pictures come first. */
  calm = false;
  private shownAt = -Infinity;

  constructor(at: number) {
    this.model = signal<Model>(initial(at));
    this.clock = signal(at);
  }

  /** The picked robot, or the first one. */
  readonly robot: ReadonlySignal<string> = computed(() => {
    const model = this.model.value;
    return robotInfo(model, this.picked.value) === null ? firstRobot(model) : this.picked.value;
  });

  readonly phase = computed(() => this.model.value.phase);
  readonly exam = computed(() => this.model.value.exam);
  private readonly role = computed(() => this.model.value.role);
  readonly scene = computed(() => this.model.value.scene);
  /** The record that is replayed; null in a live cell. */
  readonly replay = computed(() => this.model.value.scene?.replay ?? null);
  readonly playback = computed(() => this.model.value.now?.playback ?? null);
  readonly cells = computed(() => this.model.value.cells);
  readonly log = computed(() => this.model.value.log);
  /** Usual age of readings of the picked robot's master, ms. */
  readonly delay = computed(() => this.shown.value?.baseline ?? 0);
  readonly roundTrip = computed(() => this.model.value.roundTrip);
  readonly info = computed(() => robotInfo(this.model.value, this.robot.value));
  readonly lease = computed(() => leaseOf(this.model.value, this.robot.value));
  readonly mine = computed(() => holds(this.model.value, this.robot.value));
  readonly notes = computed(() => allNotes(this.model.value, this.robot.value));
  readonly mapping = computed(() => mappingOf(this.model.value, this.robot.value));
  /** The master of the picked robot, if it can be shown. */
  readonly master = computed(() => masterInfo(this.model.value, this.robot.value));
  /** That master moves by itself, as a demonstration, until the operator in control presses. */
  readonly demonstrating = computed(() => masterNow(this.model.value, this.robot.value)?.demonstrating ?? false);
  /** Keys, sticks and gamepads move that master, and the robot follows it. */
  readonly leadsMaster = computed(() => leadsMaster(this.model.value, this.robot.value));
  /** The axes that keys, sticks and gamepads deflect. */
  readonly axes = computed(() => handAxes(this.model.value, this.robot.value));
  readonly mode = computed(() => robotNow(this.model.value, this.robot.value)?.mode ?? null);
  readonly level = computed(() => robotNow(this.model.value, this.robot.value)?.level ?? null);
  readonly waiting = computed(() => robotNow(this.model.value, this.robot.value)?.waiting ?? false);
  readonly planning = computed(() => robotNow(this.model.value, this.robot.value)?.planning ?? false);
  readonly runRecording = computed(() => this.model.value.runRecording);
  readonly moves = computed(() => this.model.value.moves[this.robot.value] ?? NO_MOVES);
  /** Number of points taught so far; -1 while no path is being taught. */
  readonly lesson = computed(() => robotNow(this.model.value, this.robot.value)?.lesson ?? -1);
  readonly recording = computed(() => robotNow(this.model.value, this.robot.value)?.recording ?? false);
  readonly generating = computed(() => robotNow(this.model.value, this.robot.value)?.generating ?? false);
  readonly latched = computed(() => latched(robotNow(this.model.value, this.robot.value)));
  /** Joined, so that a list of the same names counts as unchanged. */
  private readonly offJoined = computed(() => (robotNow(this.model.value, this.robot.value)?.off ?? []).join("\n"));
  readonly off = computed(() => this.offJoined.value.split("\n").filter((name) => name !== ""));
  /** Whole seconds without an update, or null while they come. */
  readonly stalled = computed(() => stalledFor(this.model.value, this.clock.value));
  /** Commands can reach the cell. */
  private readonly reaching = computed(() => {
    const state = cellOf(this.model.value)?.state ?? "running";
    // A short silence does not disable buttons: flickering ones cannot be used.
    return this.phase.value === "open" && (state === "running" || state === "silent");
  });
  /** This page can command the robot: it holds control. */
  readonly commanding = computed(() => this.allows("drive"));
  /** Why the robot has no power, and why it cannot be moved; empty if there is no reason. */
  readonly powerless = computed(() => powerHindrance(this.commanding.value, this.mode.value));
  readonly immovable = computed(() => moveHindrance(this.commanding.value, this.mode.value));
  /** This page may reset a stop: in control, or as an instructor. */
  readonly clearing = computed(() => this.allows("reset"));
  /** Who can reset a stop if this page cannot; empty if it can. */
  readonly unclearing = computed(() => resetHindrance(this.clearing.value, this.exam.value));
  /** This page may set the task: reset it, degrade pictures, change settings. */
  readonly setting = computed(() => this.allows("task"));

  heard(message: ToPage, at: number): void {
    this.model.value = reduce(this.model.value, message, at);
    if (message.type === "Update") this.show(at);
  }

  notice(event: PageEvent): void {
    this.model.value = notice(this.model.value, event);
  }

  /** Return whether commands reach the cell and the person at this page has a right now. */
  private allows(right: Right): boolean {
    const grant = GRANTS[this.role.value][right];
    return this.reaching.value && (grant === "always" || (grant === "control" && this.mine.value));
  }

  private show(at: number): void {
    if (at - this.shownAt < (this.calm ? CALM_EVERY_MS : SHOWN_EVERY_MS)) return;
    this.shownAt = at;
    this.shown.value = robotNow(this.model.value, this.robot.value);
    this.shownMaster.value = masterNow(this.model.value, this.robot.value);
    this.factor.value = Math.round((this.model.value.now?.factor ?? 1) * 20) / 20;
  }
}
