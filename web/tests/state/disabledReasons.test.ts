import assert from "node:assert/strict";
import test from "node:test";
import { moveHindrance, powerHindrance } from "../../src/state/disabledReasons.ts";

test("a robot without power neither moves nor grips nor zeroes its sensor, and says why", () => {
  assert.equal(moveHindrance(true, "off"), "The robot is off: power it up first.");
  assert.equal(powerHindrance(true, "off"), "The robot is off: power it up first.");
  assert.equal(powerHindrance(true, "powering"), "The robot is powering up: wait a moment.");
});

test("a stopped robot is reset before it moves; its sensor can be zeroed meanwhile", () => {
  assert.equal(moveHindrance(true, "stopped"), "The robot is stopped: reset it first.");
  assert.equal(moveHindrance(true, "fault"), "The robot is stopped: reset it first.");
  assert.equal(powerHindrance(true, "stopped"), "");
});

test("whoever watches is told that control comes first", () => {
  assert.equal(moveHindrance(false, "idle"), "You need control for that.");
});

test("nothing is in the way of a robot that holds or is driven", () => {
  for (const mode of ["idle", "teleoperation", "autonomous", "paused"] as const) assert.equal(moveHindrance(true, mode), "", mode);
});
