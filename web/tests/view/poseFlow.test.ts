import assert from "node:assert/strict";
import { test } from "node:test";
import { PoseFlow } from "../../src/view/poseFlow.ts";
import type { Poses } from "../../src/view/painterProtocol.ts";

function flow(): { flow: PoseFlow; sent: Poses[]; push: (tick: number, changed?: boolean) => void } {
  const sent: Poses[] = [];
  const flow = new PoseFlow((poses) => sent.push(poses));
  const values = new Float32Array(7);
  function push(tick: number, changed = false): void {
    values[0] = tick;
    flow.push({ tick, values, asleep: new Uint8Array(1), contacts: new Float32Array(), near: [], changed });
  }
  return { flow, sent, push };
}

test("an idle painter gets poses at once, a busy one only the newest when it is done", () => {
  const { flow: it, sent, push } = flow();
  push(1);
  push(2);
  push(3);
  assert.deepEqual(sent.map((poses) => poses.tick), [1]);
  it.applied();
  assert.deepEqual(sent.map((poses) => poses.tick), [1, 3]);
  it.applied();
  push(4);
  assert.deepEqual(sent.map((poses) => poses.tick), [1, 3, 4]);
});

test("a change is not lost with the poses that were replaced", () => {
  const { flow: it, sent, push } = flow();
  push(1);
  push(2, true);
  push(3, false);
  it.applied();
  assert.deepEqual(sent.map((poses) => poses.changed), [false, true]);
});

test("what was handed over does not change any more", () => {
  const { flow: it, sent, push } = flow();
  push(1);
  push(2);
  push(3);
  it.applied();
  push(9);
  assert.deepEqual(sent.map((poses) => poses.values[0]), [1, 3]);
});

test("a new scene takes back what waits", () => {
  const { flow: it, sent, push } = flow();
  push(1);
  push(2);
  it.clear();
  it.applied();
  assert.deepEqual(sent.map((poses) => poses.tick), [1]);
  push(3);
  assert.deepEqual(sent.map((poses) => poses.tick), [1, 3]);
});
