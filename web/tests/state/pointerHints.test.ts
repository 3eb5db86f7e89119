import assert from "node:assert/strict";
import test from "node:test";
import { pointing, pointingText } from "../../src/state/pointerHints.ts";
import { panesOf } from "../../src/state/cameraWall.ts";
import type { CameraInfo, RobotInfo } from "../../src/wire.gen.ts";
import { ROBOT, TIP } from "../fixtures.ts";

const FRONT: CameraInfo = {
  name: "front",
  label: "Front",
  place: ROBOT.base,
  fov: 1,
  width: 640,
  height: 480,
  pan: null,
  tilt: null,
  zoom: 1,
};
const TURRET: CameraInfo = { ...FRONT, name: "turret", pan: [-2, 2] };
const SEEING: RobotInfo = { ...ROBOT, cameras: [FRONT, TURRET] };
const DRAGGED: RobotInfo = { ...SEEING, mappings: [TIP, { ...TIP, kind: "drag-tip", axes: [] }] };

function said(info: RobotInfo, large: string, exam = false): string {
  return pointingText(pointing(info, null, panesOf(info, [], { large, camerasOnly: false, exam })));
}

test("the ring is spoken of where a way to drive has it, and the overview shows it", () => {
  assert.equal(said(DRAGGED, "overview"), "Drag in the picture to look around, or drag the ring at the tip to move it.");
  assert.equal(said(SEEING, "overview"), "Drag in the picture to look around.");
  assert.equal(said(DRAGGED, "front"), "");
});

test("a camera is looked around with only if its head moves, in an exam too", () => {
  assert.equal(said(SEEING, "turret", true), "Drag in the picture to look around.");
  assert.equal(said(SEEING, "overview", true), "");
});
