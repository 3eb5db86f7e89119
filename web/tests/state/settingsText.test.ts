import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf, settingsIn } from "../../src/state/settingsText.ts";

test("settings are lines, and lines are settings", () => {
  const settings = { kind: "workspace", lower: [-0.75, 0, 0.02], braking: 2.5, view: true };
  assert.equal(linesOf(settings).split("\n")[1], "lower = [-0.75,0,0.02]");
  assert.deepEqual(settingsIn(linesOf(settings)), { settings });
});

test("empty lines and remarks mean nothing", () => {
  assert.deepEqual(settingsIn("\n # fast\n  speed=0.2  \n"), { settings: { speed: 0.2 } });
});

test("the first line that is none is named", () => {
  assert.deepEqual(settingsIn("speed = 0.2\nfast"), { problem: "Line 2 is not “name = value”: fast" });
  assert.deepEqual(settingsIn("speed = 0,2"), { problem: "Line 1 is not “name = value”: speed = 0,2" });
});
