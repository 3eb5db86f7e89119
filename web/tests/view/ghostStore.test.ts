import assert from "node:assert/strict";
import { test } from "node:test";
import { GhostStore } from "../../src/view/ghostStore.ts";
import { near, rows } from "./world.ts";
import type { Row } from "./world.ts";

const BODIES = [
  { name: "left/link", robot: "left" },
  { name: "cube", robot: "" },
  { name: "right/link", robot: "right" },
  { name: "left/hand", robot: "left" },
];
const ROBOTS = [{ name: "left" }, { name: "right" }];
const NONE = { ghost: new Uint8Array() };

/** Return poses as a ghost has them: rows without the numbers of their bodies, at an odd place of a larger buffer. */
function ghost(...given: Omit<Row, "body">[]): { ghost: Uint8Array } {
  const plain = given.flatMap((row) => [...rows({ ...row, body: 0 }).subarray(2)]);
  return { ghost: Uint8Array.from([0, ...plain]).subarray(1) };
}

const LEFT = ghost({ position: [1, 2, 3] }, { position: [4, 5, 6], rotation: [0, 1, 0, 0] });
const RIGHT = ghost({ position: [-1, 0, 0.5] });

test("a ghost has the bodies of its robot, in the order of the scene", () => {
  const [look, ...others] = new GhostStore(ROBOTS, BODIES).take([LEFT, NONE]) ?? [];
  assert.deepEqual([look?.bodies, others], [[0, 3], []]);
  near([...(look?.values ?? [])], [1, 2, 3, 1, 0, 0, 0, 4, 5, 6, 0, 1, 0, 0]);
});

test("a ghost that stays as it is, or that is not there, is no news", () => {
  const store = new GhostStore(ROBOTS, BODIES);
  assert.equal(store.take([NONE, NONE]), null);
  assert.equal(store.take([LEFT, RIGHT])?.length, 2);
  assert.equal(store.take([{ ghost: LEFT.ghost.slice() }, { ghost: RIGHT.ghost.slice() }]), null);
});

test("a ghost that ends is gone, and the others stay", () => {
  const store = new GhostStore(ROBOTS, BODIES);
  store.take([LEFT, RIGHT]);
  assert.deepEqual(store.take([NONE, RIGHT])?.map((look) => look.bodies), [[2]]);
  assert.deepEqual(store.take([NONE, NONE]), []);
  assert.equal(store.take([NONE, NONE]), null);
});

test("what was taken in does not change with the message that it came in", () => {
  const store = new GhostStore(ROBOTS, BODIES);
  const message = { ghost: RIGHT.ghost.slice() };
  store.take([NONE, message]);
  message.ghost.fill(0);
  assert.equal(store.take([NONE, RIGHT]), null);
});

test("poses of other bodies, and what is no pose, are no ghost", () => {
  const store = new GhostStore(ROBOTS, BODIES);
  assert.deepEqual(store.take([RIGHT, NONE]), []);
  assert.deepEqual(store.take([NONE, ghost({ position: [NaN, 0, 0] })]), []);
  assert.deepEqual(store.take([NONE, ghost({ position: [0, 0, 0], rotation: [0, 0, 0, 0] })]), []);
  assert.deepEqual(store.take([NONE, { ghost: RIGHT.ghost.subarray(0, 19) }]), []);
});
