import assert from "node:assert/strict";
import { test } from "node:test";
import { scaleAfter, scaleText } from "../../src/state/motionScales.ts";

const FOUR = [1, 0.5, 0.2, 0.05];

test("scales are written as people say them", () => {
  assert.deepEqual([2, ...FOUR].map(scaleText), ["2×", "1×", "1/2", "1/5", "1/20"]);
});

test("each scale is followed by the next, the last by the first", () => {
  assert.deepEqual(FOUR.map((scale) => scaleAfter(FOUR, scale)), [0.5, 0.2, 0.05, 1]);
});

test("a scale of one's own is followed by the one after its nearest", () => {
  assert.equal(scaleAfter(FOUR, 0.45), 0.2);
  assert.equal(scaleAfter([], 1), null);
});
