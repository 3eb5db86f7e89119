/** A master as a scene of its own for the view: the device, its travel, and the pose that the hand aims at. */

import type { GeomLook, MasterInfo, Pose, Scene, Update } from "../wire.gen.ts";
import { POSE_ROW } from "../wire.gen.ts";
import type { MasterNow } from "../state/model.ts";
import type { ArrowLook } from "./painterProtocol.ts";

type Triple = [number, number, number];

const FIXED = -1;
const UNIT = 32767;
/** Sizes as shares of the longest travel. */
const EDGE = 0.003;
const GHOST = 0.035;
const ARROW = 0.6;
/** Share of the device's greatest force below which no arrow is drawn. */
const SHOWN_FORCE = 0.02;

const EDGES: GeomLook["colour"] = [0.36, 0.47, 0.53, 1];
const MEANT: GeomLook["colour"] = [0.94, 0.65, 0.23, 0.5];
const NONE = new Uint8Array();

/** Return the scene of a master; the last body is the pose that the hand aims at. */
export function masterScene(info: MasterInfo, number: number): Scene {
  const handle = info.bodies.length - 1;
  const place = (body: number, name: string) => ({ body, pose: {}, name });
  return {
    type: "Scene",
    cell: `master ${info.name}`,
    summary: "",
    number,
    timestep: 1,
    bodies: [...info.bodies, { name: "intended", robot: "" }].map((body) => ({ ...body, robot: info.name })),
    geoms: [...info.geoms, ...travelBox(info), ghost(info)].map((geom) => ({ ...geom, name: `${info.name}/` })),
    robots: [
      {
        name: info.name,
        model: info.label,
        joints: [],
        gripper: null,
        base: place(FIXED, ""),
        tip: place(handle, ""),
        frames: [],
        mappings: [],
        filters: [],
        master: "",
        by_hand: info.by_hand,
        switch: false,
        wrist: false,
        tool: "",
        tools: [],
        scales: [],
        speeds: [],
        parts: [],
        tracks: null,
        cameras: [],
      },
    ],
    signals: [],
    masters: [],
    replay: null,
  };
}

/** Return an update of that scene. */
export function masterUpdate(now: MasterNow, number: number, tick: number): Update {
  const count = now.bodies.byteLength / POSE_ROW;
  const row = 2 + POSE_ROW;
  const moved = new Uint8Array((count + 1) * row);
  const view = new DataView(moved.buffer);
  for (let body = 0; body < count; body++) {
    view.setUint16(body * row, body, true);
    moved.set(now.bodies.subarray(body * POSE_ROW, (body + 1) * POSE_ROW), body * row + 2);
  }
  view.setUint16(count * row, count, true);
  putPose(view, count * row + 2, now.intended.length >= 7 ? now.intended : now.tip);
  return { type: "Update", scene: number, tick, time: 0, factor: 1, late: 0, moved, asleep: NONE, robots: [], epochs: [], masters: [], playback: null, contacts: NONE };
}

/** Return the force feedback as an arrow at the tip; null below the shown force. */
export function feltArrow(info: MasterInfo, now: MasterNow): ArrowLook | null {
  const strength = Math.hypot(...now.felt);
  if (info.force <= 0 || strength < SHOWN_FORCE * info.force) return null;
  const size = longest(info);
  const metres = (ARROW * size) / info.force;
  const from = triple((axis) => now.tip[axis] ?? 0);
  return { from, to: triple((axis) => from[axis] + metres * (now.felt[axis] ?? 0)), size };
}

/** Return the pose that the hand aims at, or the tip's where that is unknown. */
export function meantPose(now: MasterNow): { position: Triple; rotation: [number, number, number, number] } {
  const [x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0] = now.intended.length >= 7 ? now.intended : now.tip;
  return { position: [x, y, z], rotation: [qw, qx, qy, qz] };
}

function longest({ lower, upper }: MasterInfo): number {
  return Math.max(...triple((axis) => upper[axis] - lower[axis]), 1e-3);
}

/** Return the twelve edges of the box of the tip's travel. */
function travelBox(info: MasterInfo): GeomLook[] {
  const { lower, upper } = info;
  const thin = EDGE * longest(info);
  const edges: GeomLook[] = [];
  for (const along of [0, 1, 2] as const) {
    const [one, other] = [((along + 1) % 3) as 0 | 1 | 2, ((along + 2) % 3) as 0 | 1 | 2];
    for (const a of [lower, upper]) {
      for (const b of [lower, upper]) {
        const half = triple((axis) => (axis === along ? (upper[axis] - lower[axis]) / 2 + thin : thin));
        const middle = triple((axis) => (axis === along ? (lower[axis] + upper[axis]) / 2 : axis === one ? a[one] : b[other]));
        edges.push(shape(FIXED, "box", half, { position: middle }, EDGES));
      }
    }
  }
  return edges;
}

function ghost(info: MasterInfo): GeomLook {
  return shape(info.bodies.length, "sphere", [GHOST * longest(info)], {}, MEANT);
}

function shape(body: number, form: GeomLook["shape"], size: number[], pose: Pose, colour: GeomLook["colour"]): GeomLook {
  return { body, shape: form, size, pose, colour, mesh: "", seen: true, touched: false, name: "", virtual: false };
}

function triple(value: (axis: 0 | 1 | 2) => number): Triple {
  return [value(0), value(1), value(2)];
}

/** Write a pose in the format of updates. */
function putPose(view: DataView, at: number, pose: readonly number[]): void {
  for (let i = 0; i < 3; i++) view.setFloat32(at + 4 * i, pose[i] ?? 0, true);
  for (let i = 0; i < 4; i++) view.setInt16(at + 12 + 2 * i, Math.round((pose[3 + i] ?? 0) * UNIT), true);
}
