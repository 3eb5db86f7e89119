/** A small world for the tests of the view: a floor, a fixed table, a loose cube and a robot of one link. */

import type { GeomLook, Place, RobotInfo, Scene } from "../../src/wire.gen.ts";

export const NO_TURN: [number, number, number, number] = [1, 0, 0, 0];

export function geom(news: Partial<GeomLook>): GeomLook {
  return {
    body: -1,
    shape: "box",
    size: [0.1, 0.1, 0.1],
    pose: {},
    colour: [0.5, 0.5, 0.5, 1],
    mesh: "",
    seen: true,
    touched: true,
    name: "",
    virtual: false,
    ...news,
  };
}

function place(body: number, position: [number, number, number], name: string): Place {
  return { body, pose: { position, rotation: NO_TURN }, name };
}

export const ROBOT: RobotInfo = {
  name: "arm",
  model: "one link",
  joints: [],
  gripper: null,
  base: place(-1, [1, 0, 0.5], "base"),
  tip: place(1, [0, 0, 0.4], "tip"),
  frames: [],
  mappings: [],
  filters: [],
  master: "hand",
  by_hand: true,
  switch: false,
  wrist: false,
  tool: "",
  tools: [],
  scales: [],
  speeds: [],
  parts: [],
  tracks: null,
  cameras: [],
};

export const SCENE: Scene = {
  type: "Scene",
  cell: "small",
  summary: "",
  number: 3,
  timestep: 0.002,
  bodies: [
    { name: "cube", robot: "" },
    { name: "arm/link", robot: "arm" },
  ],
  geoms: [
    geom({ shape: "plane", size: [0, 0, 0.05], name: "floor" }),
    geom({ size: [0.5, 0.5, 0.25], pose: { position: [0, 0, 0.25] }, name: "table" }),
    geom({ body: 0, size: [0.05, 0.05, 0.05], name: "cube" }),
    geom({ body: 1, shape: "cylinder", size: [0.05, 0.3, 0], pose: { position: [0, 0, 0.3] }, name: "arm/link" }),
  ],
  robots: [ROBOT],
  signals: [],
  replay: null,
  masters: [],
};

export interface Row {
  body: number;
  position: [number, number, number];
  rotation?: [number, number, number, number];
}

/** Return poses as the wire has them, at an odd place of a larger buffer, as a decoder leaves them. */
export function rows(...given: Row[]): Uint8Array {
  const bytes = new Uint8Array(3 + given.length * 22).subarray(3);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  given.forEach(({ body, position, rotation }, i) => {
    view.setUint16(i * 22, body, true);
    position.forEach((value, k) => view.setFloat32(i * 22 + 2 + 4 * k, value, true));
    (rotation ?? NO_TURN).forEach((value, k) => view.setInt16(i * 22 + 14 + 2 * k, Math.round(value * 32767), true));
  });
  return bytes;
}

export const CUBE_AND_LINK = rows({ body: 0, position: [0.2, 0, 0.55] }, { body: 1, position: [1, 0, 0.5] });

/** Say that two vectors are the same but for rounding. */
export function near(actual: readonly number[], wanted: readonly number[], tolerance = 1e-6): void {
  const off = wanted.map((value, i) => Math.abs(value - (actual[i] ?? NaN)));
  if (actual.length !== wanted.length || !off.every((error) => error <= tolerance)) {
    throw new Error(`got ${actual.join(", ")}, expected ${wanted.join(", ")} within ${tolerance}`);
  }
}
