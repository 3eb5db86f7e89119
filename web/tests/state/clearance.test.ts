import assert from "node:assert/strict";
import test from "node:test";
import { closeness, nearestText, freeRangeOf } from "../../src/state/clearance.ts";
import { robotNow } from "../../src/state/selectors.ts";
import { unpackNear } from "../../src/state/unpackUpdate.ts";
import { nearLooks } from "../../src/view/clearanceLines.ts";
import type { ClearanceUpdate } from "../../src/wire.gen.ts";
import { driving, nearUpdate, robotUpdate } from "../fixtures.ts";

function words(distance: number, changes: Partial<ClearanceUpdate> = {}): readonly [string, string] | null {
  const found = nearestText(unpackNear(nearUpdate(distance, changes)));
  return found && [found.text, found.tone];
}

test("what an arm is near to is unpacked with the rest of an update", () => {
  const now = robotNow(driving({ near: nearUpdate(0.05) }), "arm");
  assert.deepEqual(now?.near?.line.map((value) => Math.round(value * 100)), [40, 0, 65, 40, 0, 60]);
  assert.equal(robotNow(driving(), "arm")?.near, null);
});

test("a pair is far, close, or stops the arm, by the room that is left", () => {
  assert.deepEqual([0.031, 0.029, 0.004, 0.003, -0.01].map((room) => closeness({ room })), ["far", "close", "close", "shut", "shut"]);
});

test("the nearest pair in words: how far apart, and whether it stops the arm", () => {
  assert.deepEqual(words(0.053), ["Nearest: forearm – table, 53 mm", "calm"]);
  assert.deepEqual(words(0.023), ["Nearest: forearm – table, 23 mm", "warn"]);
  assert.deepEqual(words(0.011), ["Nearest: forearm – table, 11 mm · stops the arm", "stop"]);
  assert.deepEqual(words(0.003), ["Nearest: forearm – table, too close · stops the arm", "stop"]);
  assert.equal(words(0.13), null);
  assert.equal(nearestText(null), null);
});

test("what may be touched never stops the arm", () => {
  assert.deepEqual(words(0.02, { gently: true, room: 0.02 }), ["Nearest: forearm – table, 20 mm", "warn"]);
  assert.deepEqual(words(0, { gently: true, room: 0 }), ["Nearest: forearm – table, may touch", "calm"]);
});

test("a joint's reach is taken from all lower and all upper limits", () => {
  const near = unpackNear({ ...nearUpdate(0.05), limits: new Uint8Array(new Float32Array([-1, -2, 0.5, 0.25]).buffer) });
  assert.deepEqual(freeRangeOf(near, 0), [-1, 0.5]);
  assert.deepEqual(freeRangeOf(near, 1), [-2, 0.25]);
  assert.equal(freeRangeOf(near, 2), null);
  assert.equal(freeRangeOf(null, 0), null);
});

test("a line is drawn for each robot that is near to something, with ways only where one is shut", () => {
  const ways = [true, true, true, true, true, false];
  const looks = nearLooks([null, nearUpdate(0.05), nearUpdate(0.01, { ways })].map((near) => robotUpdate({ near })));
  assert.deepEqual(looks.map((look) => look.robot), [1, 2]);
  assert.deepEqual(looks.map((look) => look.text), ["50 mm", "10 mm"]);
  assert.deepEqual(looks.map((look) => look.ways), [[], ways]);
  assert.deepEqual(looks.map((look) => look.closeness), ["far", "shut"]);
  assert.deepEqual(looks[1]?.to.map((value) => Math.round(value * 10)), [4, 0, 6]);
});

test("nothing is drawn of what is far away, nor of what may be touched and is", () => {
  const touched = nearUpdate(0, { gently: true, room: -0.04 });
  assert.deepEqual(nearLooks([nearUpdate(0.14), touched].map((near) => robotUpdate({ near }))), []);
});
