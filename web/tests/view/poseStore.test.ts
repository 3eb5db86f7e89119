import assert from "node:assert/strict";
import { test } from "node:test";
import { floats, PoseStore } from "../../src/view/poseStore.ts";
import { CUBE_AND_LINK, near, rows } from "./world.ts";

test("rows are read at any place of a buffer, index, position and quaternion", () => {
  const store = new PoseStore(3);
  const half = Math.SQRT1_2;
  assert.equal(store.take(rows({ body: 2, position: [0.1, -2, 30.5], rotation: [half, 0, -half, 0] })), true);
  const pose = store.pose(2);
  assert.ok(pose);
  near(pose.position, [0.1, -2, 30.5], 1e-5);
  near(pose.rotation, [half, 0, -half, 0], 1e-4);
  near([Math.hypot(...pose.rotation)], [1]);
});

test("a body that was not told of has no pose, the world always has one", () => {
  const store = new PoseStore(2);
  assert.equal(store.pose(0), null);
  assert.equal(store.pose(7), null);
  assert.deepEqual(store.pose(-1)?.position, [0, 0, 0]);
  assert.equal(store.complete, false);
  store.take(rows({ body: 0, position: [1, 2, 3] }));
  assert.equal(store.complete, false);
  store.take(rows({ body: 1, position: [1, 2, 3] }));
  assert.equal(store.complete, true);
});

test("a row for no body, a row that is no number and half a row change nothing", () => {
  const store = new PoseStore(2);
  store.take(CUBE_AND_LINK);
  const before = [...store.values];
  assert.equal(store.take(rows({ body: 2, position: [9, 9, 9] })), false);
  assert.equal(store.take(rows({ body: 0, position: [NaN, 0, 0] })), false);
  assert.equal(store.take(rows({ body: 0, position: [9, 9, 9], rotation: [0, 0, 0, 0] })), false);
  assert.equal(store.take(rows({ body: 0, position: [9, 9, 9] }).subarray(0, 21)), false);
  assert.deepEqual([...store.values], before);
});

test("what cannot be seen is no change, but slow motion adds up to one", () => {
  const store = new PoseStore(1);
  store.take(rows({ body: 0, position: [0, 0, 0] }));
  let changes = 0;
  for (let i = 1; i <= 10; i++) if (store.take(rows({ body: 0, position: [i * 5e-6, 0, 0] }))) changes += 1;
  assert.equal(changes, 2);
  near(store.pose(0)?.position ?? [], [5e-5, 0, 0], 1e-9);
});

test("a frame on a body moves and turns with it", () => {
  const store = new PoseStore(1);
  const half = Math.SQRT1_2;
  store.take(rows({ body: 0, position: [1, 0, 0], rotation: [half, 0, 0, half] }));
  near(store.place(0, { position: [0.5, 0, 0.2] })?.position ?? [], [1, 0.5, 0.2], 1e-4);
  near(store.place(-1, { position: [0.5, 0, 0.2] })?.position ?? [], [0.5, 0, 0.2]);
});

test("floats are read from bytes at any place", () => {
  const bytes = new Uint8Array(9).subarray(1);
  const view = new DataView(bytes.buffer, 1);
  view.setFloat32(0, 1.5, true);
  view.setFloat32(4, -2.25, true);
  assert.deepEqual([...floats(bytes)], [1.5, -2.25]);
});
