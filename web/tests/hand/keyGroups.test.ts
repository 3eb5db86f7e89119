import assert from "node:assert/strict";
import test from "node:test";
import { FLIPPER_AXES, TRACK_AXES } from "../../src/hand/axesAndActions.ts";
import { keyGroups } from "../../src/hand/keyGroups.ts";
import { phrasesFor } from "../../src/voice/phrases.ts";
import type { CameraInfo, MappingInfo, RobotInfo, TracksInfo } from "../../src/wire.gen.ts";
import { JOINTS, ROBOT, TIP } from "../fixtures.ts";

const CAMERA: CameraInfo = {
  name: "front", label: "Front", place: ROBOT.tip, fov: 1, width: 640, height: 480, pan: null, tilt: null, zoom: 1,
};
const TRACKS: TracksInfo = { flippers: [], speed: 1, wheelbase: 1, gauge: 1, length: 1, hub: 0.1, tip: 0.1 };
const DRIVE: MappingInfo = { ...TIP, name: "drive", kind: "drive-tracks", axes: [...TRACK_AXES, "grip"] };
const RAISE: MappingInfo = { ...TIP, name: "flippers", kind: "raise-flippers", axes: [...FLIPPER_AXES, "grip"] };
const TRACKED: RobotInfo = { ...ROBOT, tracks: TRACKS, mappings: [DRIVE, RAISE, JOINTS] };

function contexts(info: RobotInfo, axes: readonly string[]): string[] {
  return keyGroups(info, axes).map(({ context }) => context);
}

function always(info: RobotInfo): string[] {
  return keyGroups(info, TIP.axes).find(({ context }) => context === "always")?.keys.map(({ id }) => id) ?? [];
}

test("an arm that stands has no keys for tracks and flippers", () => {
  assert.deepEqual(contexts(ROBOT, TIP.axes), ["tip", "joints", "always"]);
  for (const id of ["drive", "flippers", "arm", "park"]) assert.ok(!always(ROBOT).includes(id), id);
});

test("a robot on tracks has them", () => {
  assert.deepEqual(contexts(TRACKED, DRIVE.axes), ["tracks", "joints", "flippers", "always"]);
  for (const id of ["drive", "flippers", "arm", "park"]) assert.ok(always(TRACKED).includes(id), id);
});

test("the chosen way to drive comes first, and is called so", () => {
  assert.deepEqual(contexts(ROBOT, JOINTS.axes), ["joints", "tip", "always"]);
  assert.deepEqual(keyGroups(ROBOT, JOINTS.axes).map(({ chosen }) => chosen), [true, false, false]);
});

test("joints are those of this robot, by its own names", () => {
  const joints = keyGroups({ ...ROBOT, mappings: [{ ...JOINTS, axes: ["joint:0"] }] }, ["joint:0"])[0];
  assert.deepEqual(joints?.keys.map(({ text }) => text), ["Turn +", "Turn −"]);
});

test("a master that is led from the page has the keys of the tip, whatever the ways to drive", () => {
  const posed = { ...ROBOT, mappings: [{ ...TIP, axes: [], kind: "hybrid" }] };
  assert.deepEqual(contexts(posed, TIP.axes), ["tip", "always"]);
});

test("cameras have keys as far as there are any, and heads if they move", () => {
  assert.deepEqual(always(ROBOT).filter((id) => /camera|overview|pan|zoom/.test(id)), []);
  const seeing = always({ ...ROBOT, cameras: [CAMERA, CAMERA] });
  assert.deepEqual(seeing.filter((id) => id.startsWith("camera:")), ["camera:0", "camera:1"]);
  assert.ok(seeing.includes("overview") && !seeing.includes("pan-left"));
  assert.ok(always({ ...ROBOT, cameras: [{ ...CAMERA, pan: [-1, 1] }] }).includes("pan-left"));
});

test("without a gripper, several ways or scales there are no keys for them", () => {
  const bare = { ...ROBOT, gripper: null, mappings: [{ ...TIP, axes: ["x", "y", "z"] }] };
  const keys = keyGroups(bare, ["x", "y", "z"]).flatMap((group) => group.keys.map(({ id }) => id));
  for (const id of ["grip+", "grip-", "mapping", "scale", "roll+"]) assert.ok(!keys.includes(id), id);
  assert.ok(keys.includes("x+") && keys.includes("home"));
});

test("only what means something for a robot is offered to be said", () => {
  const plain = phrasesFor(ROBOT);
  for (const phrase of ["power up the robot", "power down", "scale one", "speed four"]) assert.ok(!plain.includes(phrase), phrase);
  for (const phrase of ["stop", "speed three", "next mapping"]) assert.ok(plain.includes(phrase), phrase);
  assert.ok(phrasesFor({ ...ROBOT, switch: true }).includes("power up the robot"));
  assert.ok(phrasesFor({ ...ROBOT, mappings: [{ ...TIP, scalable: true }] }).includes("scale four"));
});
