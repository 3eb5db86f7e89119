import assert from "node:assert/strict";
import { test } from "node:test";
import { teachingProgress, pathLength } from "../../src/state/taughtPaths.ts";
import { reduce } from "../../src/state/reduce.ts";
import { driving } from "../fixtures.ts";

test("a move says its seconds, or its points where it has no times", () => {
  assert.equal(pathLength({ name: "way", points: 15, seconds: 1.4 }), "1.4 s");
  assert.equal(pathLength({ name: "way", points: 1, seconds: 0 }), "1 point");
  assert.equal(pathLength({ name: "way", points: 3, seconds: 0 }), "3 points");
});

test("a lesson says how far it is", () => {
  assert.equal(teachingProgress(2, true), "Recording: drive the arm. 2 points so far.");
  assert.equal(teachingProgress(1, false), "1 point so far. Drive to the next point and add it.");
});

test("moves are those last told", () => {
  const robots = { arm: [{ name: "way", points: 2, seconds: 0 }] };
  const told = reduce(driving(), { type: "Moves", robots }, 1);
  assert.deepEqual(told.moves, robots);
  assert.deepEqual(reduce(told, { type: "Moves", robots: {} }, 2).moves, {});
});
