import assert from "node:assert/strict";
import { test } from "node:test";
import { eye, project } from "../../src/view/orbitCamera.ts";
import { floorOf } from "../../src/view/floorHeight.ts";
import { lookAt, subjectOf } from "../../src/view/framing.ts";
import { PoseStore } from "../../src/view/poseStore.ts";
import type { Scene } from "../../src/wire.gen.ts";
import { CUBE_AND_LINK, geom, near, rows, SCENE } from "./world.ts";

const PANES = [
  { width: 990, height: 560 },
  { width: 1900, height: 1200 },
  { width: 500, height: 900 },
];

function store(moved = CUBE_AND_LINK): PoseStore {
  const poses = new PoseStore(2);
  poses.take(moved);
  return poses;
}

for (const viewport of PANES) {
  for (const from of ["home", "front", "side", "top"] as const) {
    test(`"${from}" shows all of robot and objects, large, at ${viewport.width} × ${viewport.height}`, () => {
      const subject = subjectOf(SCENE, store(), new Map());
      const orbit = lookAt(from, subject, null, viewport);
      const spots = subject.map((point) => project(orbit, viewport, point));
      const [xs, ys] = [spots.map((spot) => spot?.x ?? NaN), spots.map((spot) => spot?.y ?? NaN)];
      assert.ok(Math.min(...xs) > 0 && Math.max(...xs) < viewport.width, "within the width");
      assert.ok(Math.min(...ys) > 0 && Math.max(...ys) < viewport.height, "within the height");
      const filled = Math.max((Math.max(...xs) - Math.min(...xs)) / viewport.width, (Math.max(...ys) - Math.min(...ys)) / viewport.height);
      assert.ok(filled > 0.75 && filled < 0.9, `fills ${filled}`);
    });
  }
}

test("robot and loose objects matter, the table and the floor do not", () => {
  const subject = subjectOf(SCENE, store(), new Map());
  assert.ok(subject.every(([x]) => x > 0.1), "nothing of the table, which begins at -0.5");
  assert.ok(subject.some(([x, , z]) => x < 0.2 && z > 0.5), "the cube");
  assert.ok(subject.some(([, , z]) => Math.abs(z - 1.1) < 1e-5), "the top of the link");
});

test("an object that rolled far away does not shrink the robot", () => {
  const far = rows({ body: 0, position: [30, 0, 0.05] }, { body: 1, position: [1, 0, 0.5] });
  assert.ok(subjectOf(SCENE, store(far), new Map()).every(([x]) => x < 2));
});

test("without a robot everything is shown", () => {
  const scene: Scene = { ...SCENE, robots: [], bodies: [{ name: "cube", robot: "" }], geoms: SCENE.geoms.slice(0, 3) };
  assert.ok(subjectOf(scene, store(), new Map()).some(([x]) => x === -0.5));
});

test("forward leads away from the first sight, and left is left", () => {
  const viewport = { width: 900, height: 600 };
  const orbit = lookAt("home", subjectOf(SCENE, store(), new Map()), null, viewport);
  const [base, forward, left] = [[1, 0, 0.5], [1.2, 0, 0.5], [1, 0.2, 0.5]].map((p) => project(orbit, viewport, p as [number, number, number]));
  assert.ok(base && forward && left);
  assert.ok(forward.depth > base.depth);
  assert.ok(left.x < base.x);
});

test('"tip" looks at the tip from nearby', () => {
  const orbit = lookAt("tip", subjectOf(SCENE, store(), new Map()), [1, 0, 0.9], { width: 900, height: 600 });
  near(orbit.target, [1, 0, 0.9]);
  assert.ok(orbit.distance < 1);
  assert.ok(eye(orbit)[2] > 0.9);
});

test("the floor is the highest level plane", () => {
  const tilted = geom({ shape: "plane", pose: { position: [0, 0, 2], rotation: [0.9, 0.436, 0, 0] } });
  const raised = geom({ shape: "plane", pose: { position: [0, 0, 0.3] } });
  assert.equal(floorOf(SCENE), 0);
  assert.equal(floorOf({ geoms: [...SCENE.geoms, tilted, raised] }), 0.3);
  assert.equal(floorOf({ geoms: [] }), -Infinity);
});
