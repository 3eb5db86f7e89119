import assert from "node:assert/strict";
import test from "node:test";
import { modeOf } from "../../src/state/selectors.ts";
import { flipperRear, flipperSide, lags, overturned, reachOf, slopeTone, tracksText, within, written } from "../../src/state/tracksAttitude.ts";
import { unpack } from "../../src/state/unpackUpdate.ts";
import type { TracksNow } from "../../src/state/model.ts";
import type { TracksInfo } from "../../src/wire.gen.ts";
import { bytes, TIP, update } from "../fixtures.ts";

const INFO: TracksInfo = { flippers: [], speed: 1.1, wheelbase: 0.6, gauge: 0.33, length: 0.4, hub: 0.1, tip: 0.06 };
const NOW: TracksNow = {
  pitch: 0,
  roll: 0,
  flippers: [0, 0, 0, 0],
  asked: [0, 0, 0, 0],
  belts: [0, 0],
  braked: true,
  parked: false,
  word: "standing",
};

function extent(points: readonly (readonly [number, number])[], axis: 0 | 1): [number, number] {
  const values = points.map((point) => point[axis]);
  return [Math.min(...values), Math.max(...values)];
}

test("front flippers reach ahead, rear ones back, and both up with positive angles", () => {
  const [, ahead] = extent(flipperSide(INFO, 1, 0), 0);
  assert.ok(Math.abs(ahead - reachOf(INFO)) < 0.01);
  const [back] = extent(flipperSide(INFO, 3, 0), 0);
  assert.ok(Math.abs(back + reachOf(INFO)) < 0.01);
  for (const flipper of [0, 1, 2, 3]) {
    const [, top] = extent(flipperSide(INFO, flipper, Math.PI / 2), 1);
    assert.ok(Math.abs(top - 0.56) < 0.01, `flipper ${flipper}`);
    const [bottom] = extent(flipperSide(INFO, flipper, -Math.PI / 2), 1);
    assert.ok(Math.abs(bottom + 0.36) < 0.01, `flipper ${flipper}`);
  }
});

test("from behind, left flippers are left and show how far they are raised", () => {
  const left = flipperRear(INFO, 2, Math.PI / 2);
  assert.ok(extent(left, 0)[1] < 0);
  assert.ok(extent(flipperRear(INFO, 3, 0), 0)[0] > 0);
  assert.ok(Math.abs(extent(left, 1)[1] - 0.56) < 1e-9);
  assert.deepEqual(extent(flipperRear(INFO, 2, 0), 1), [0, 0.2]);
});

test("a robot lies on its back from more than a quarter turn to either side on", () => {
  assert.deepEqual([0, 1.58, -1.58, 2, -2, Math.PI].map((roll) => overturned({ roll })), [false, false, false, true, true, true]);
});

test("outlines are written for a picture whose y goes down", () => {
  assert.equal(written([[0.5, 1], [-0.25, 0.125]]), "0.500,-1.000 -0.250,-0.125");
});

test("flippers that went around are told within half a turn", () => {
  assert.ok(Math.abs(within(2 * Math.PI + 0.3) - 0.3) < 1e-12);
  assert.ok(Math.abs(within(-3) + 3) < 1e-12);
});

test("a flipper that is not where it was told to be stands out", () => {
  const now = { ...NOW, asked: [0, 0.2, 0, 0] };
  assert.deepEqual([0, 1].map((i) => lags(now, i)), [false, true]);
});

test("a slope to the side is steep sooner than one ahead", () => {
  assert.deepEqual([0.3, 0.5, 0.8].map((roll) => slopeTone(roll, "roll")), ["calm", "warn", "stop"]);
  assert.deepEqual([0.5, -0.8, 1.2].map((pitch) => slopeTone(pitch, "pitch")), ["calm", "warn", "stop"]);
});

test("what it does is one word, and a set brake is said beside it", () => {
  assert.deepEqual(tracksText(NOW), { text: "Standing", tone: "calm" });
  assert.deepEqual(tracksText({ ...NOW, parked: true }), { text: "Parked", tone: "info" });
  assert.deepEqual(tracksText({ ...NOW, word: "tipped", parked: true }), { text: "Tipped over · parked", tone: "stop" });
});

test("numbers of the tracks are unpacked", () => {
  const tracks = { ...NOW, flippers: bytes(0.5, 0.25, 0, -1), asked: bytes(1, 0, 0, 0), belts: bytes(0.5, -0.5) };
  const now = unpack(update({}, { tracks })).robots[0]?.tracks;
  assert.deepEqual(now?.flippers, [0.5, 0.25, 0, -1]);
  assert.deepEqual(now.belts, [0.5, -0.5]);
});

test("each way to drive belongs to one mode", () => {
  assert.deepEqual(["drive-tracks", "raise-flippers", "jog-joints"].map((kind) => modeOf({ ...TIP, kind })), ["drive", "flippers", "arm"]);
});
