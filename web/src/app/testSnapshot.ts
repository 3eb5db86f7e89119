/** A snapshot of the page for browser tests: plain values only. */

import type { View } from "../view/index.ts";
import { leaseOf, mappingOf, masterNow, notesOf, robotNow } from "../state/selectors.ts";
import type { MasterNow, NearNow, TracksNow } from "../state/model.ts";
import type { PlaybackUpdate } from "../wire.gen.ts";
import type { Console } from "./console.ts";

export interface Snapshot {
  connected: boolean;
  phase: string;
  viewer: number | null;
  cell: string;
  robot: string;
  mode: string | null;
  mapping: string | null;
  level: number | null;
  holder: number | null;
  mine: boolean;
  viewers: number;
  joints: number[];
  tip: number[];
  grip: number | null;
  tick: number;
  /** Sequence number of the newest reading that the cell has received. */
  heard: number;
  /** The master of the robot, if it can be shown. */
  master: { joints: number[]; tip: number[]; intended: number[]; felt: number[]; demonstrating: boolean } | null;
  /** The attitude of a robot on tracks. */
  tracks: { pitch: number; roll: number; flippers: number[]; belts: number[]; parked: boolean; word: string } | null;
  /** The pictures: the large one, the small ones, and how often each was drawn in the last second. */
  wall: { large: string; small: string[]; rates: Record<string, number> };
  /** The headings of the cameras. */
  cameras: { pan: number; tilt: number; zoom: number; degraded: object | null }[];
  exam: boolean;
  /** A free path is being planned. */
  planning: boolean;
  /** The robot's pose at the end of its move is shown. */
  ghost: boolean;
  /** The nearest pair of an arm that avoids obstacles. */
  near: { first: string; second: string; room: number; gently: boolean; ways: boolean[] } | null;
  /** The clearance tone. */
  tone: string;
  /** Push to talk: its phase, the length of the utterance, the result. */
  talk: { phase: string; phrase: string; text: string; seconds: number; pending: string };
  why: string[];
  log: number;
  stalled: number | null;
  /** Ids of the gamepads that the page has seen. */
  pads: string[];
  roundTrip: number | null;
  /** The playback of a record. */
  replay: { moment: number; playing: boolean; speed: number; loop: boolean } | null;
  fps: number;
  drawMs: number;
  appliedTick: number;
  software: boolean;
}

declare global {
  interface Window {
    farhand?: { state(): Snapshot; view: View; ping(): Promise<number | null> };
  }
}

export function expose(console: Console): void {
  window.farhand = { state: () => snapshot(console), view: console.view, ping: () => console.ping() };
}

function snapshot({ store, padStore, tone, talk, panes, stats: drawing }: Console): Snapshot {
  const stats = drawing.value;
  const model = store.model.value;
  const robot = store.robot.value;
  const now = robotNow(model, robot);
  return {
    connected: model.phase === "open",
    phase: model.phase,
    viewer: model.viewer,
    cell: model.watching,
    robot,
    mode: now?.mode ?? null,
    mapping: mappingOf(model, robot)?.name ?? null,
    level: now?.level ?? null,
    holder: leaseOf(model, robot)?.holder ?? null,
    mine: store.mine.value,
    viewers: model.viewers,
    joints: [...(now?.joints ?? [])],
    tip: [...(now?.tip ?? [])],
    grip: now?.grip ?? null,
    tick: model.now?.tick ?? -1,
    heard: now?.heard ?? -1,
    master: masterSnapshot(masterNow(model, robot)),
    tracks: tracksSnapshot(now?.tracks ?? null),
    wall: {
      large: panes.value.find((pane) => pane.large)?.name ?? "",
      small: panes.value.filter((pane) => !pane.large).map((pane) => pane.name),
      rates: { ...stats?.views },
    },
    cameras: [...(now?.cameras ?? [])],
    exam: model.exam,
    planning: now?.planning ?? false,
    ghost: now?.ghost ?? false,
    near: nearSnapshot(now?.near ?? null),
    tone: tone.heard.value,
    talk: { ...talk.state.value, seconds: talk.seconds, pending: talk.pending.value?.phrase ?? "" },
    why: notesOf(model, robot).map((note) => note.text),
    log: model.log.length,
    stalled: store.stalled.value,
    pads: [...padStore.plugged.value],
    roundTrip: model.roundTrip,
    replay: replaySnapshot(now === null ? null : (model.now?.playback ?? null)),
    fps: stats?.fps ?? 0,
    drawMs: stats?.drawMs ?? 0,
    appliedTick: stats?.tick ?? -1,
    software: stats?.software ?? false,
  };
}

function replaySnapshot(now: PlaybackUpdate | null): Snapshot["replay"] {
  if (now === null) return null;
  const { moment, playing, speed, loop } = now;
  return { moment, playing, speed, loop: loop !== null };
}

function tracksSnapshot(now: TracksNow | null): Snapshot["tracks"] {
  if (now === null) return null;
  const { pitch, roll, flippers, belts, parked, word } = now;
  return { pitch, roll, flippers: [...flippers], belts: [...belts], parked, word };
}

function nearSnapshot(now: NearNow | null): Snapshot["near"] {
  if (now === null) return null;
  const { first, second, room, gently, ways } = now;
  return { first, second, room, gently, ways: [...ways] };
}

function masterSnapshot(now: MasterNow | null): Snapshot["master"] {
  if (now === null) return null;
  const { joints, tip, intended, felt, demonstrating } = now;
  return { joints: [...joints], tip: [...tip], intended: [...intended], felt: [...felt], demonstrating };
}
