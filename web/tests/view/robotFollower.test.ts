import assert from "node:assert/strict";
import test from "node:test";
import { RobotFollower } from "../../src/view/robotFollower.ts";

test("the eye goes as far as the robot, and not for its trembling", () => {
  const companion = new RobotFollower();
  companion.follow("telemax");
  assert.equal(companion.step([1, 0, 0]), null, "first it is found");
  assert.equal(companion.step([1.001, 0, 0]), null);
  assert.deepEqual(companion.step([1.5, 0, 0.25]), [0.5, 0, 0.25]);
  assert.equal(companion.step(null), null);
});

test("one that strayed far is lit anew, once", () => {
  const companion = new RobotFollower();
  companion.follow("telemax");
  companion.step([0, 0, 0]);
  companion.step([0.5, 0, 0]);
  assert.equal(companion.strayed(4), false);
  companion.step([1.2, 0, 0]);
  assert.equal(companion.strayed(4), true);
  assert.equal(companion.strayed(4), false);
});

test("another robot is found before it is followed", () => {
  const companion = new RobotFollower();
  companion.follow("one");
  companion.step([0, 0, 0]);
  companion.follow("two");
  assert.equal(companion.step([9, 0, 0]), null);
});
