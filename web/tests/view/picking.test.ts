import assert from "node:assert/strict";
import { test } from "node:test";
import { project, ray } from "../../src/view/orbitCamera.ts";
import type { Orbit } from "../../src/view/orbitCamera.ts";
import { nearestShape, onHandle } from "../../src/view/picking.ts";
import { PoseStore } from "../../src/view/poseStore.ts";
import { heightNear, meetsBox, meetsPlane } from "../../src/view/rayGeometry.ts";
import { CUBE_AND_LINK, near, SCENE } from "./world.ts";

const PANE = { width: 800, height: 600 };
const ORBIT: Orbit = { target: [0.2, 0, 0.55], yaw: -1.2, pitch: 0.5, distance: 2 };

function store(): PoseStore {
  const poses = new PoseStore(2);
  poses.take(CUBE_AND_LINK);
  return poses;
}

test("the handle is caught within 24 pixels, by a finger within 44", () => {
  const tip = [0.3, 0.1, 0.7] as const;
  const spot = project(ORBIT, PANE, tip);
  assert.ok(spot);
  const hit = (off: number, pointer: string): boolean => onHandle(ORBIT, PANE, tip, spot.x + off, spot.y, pointer);
  assert.deepEqual([hit(0, "mouse"), hit(23.9, "mouse"), hit(24.1, "mouse")], [true, true, false]);
  assert.deepEqual([hit(43.9, "touch"), hit(44.1, "touch")], [true, false]);
});

test("a handle behind the eye cannot be caught", () => {
  assert.equal(onHandle(ORBIT, PANE, [0.2, -20, 10], 400, 300, "touch"), false);
});

test("the nearest shape under the pointer is found: cube before table before floor", () => {
  const middle = nearestShape(ray(ORBIT, PANE, 400, 300), SCENE, store(), new Map());
  assert.ok(middle);
  assert.ok(middle[2] > 0.5 && middle[2] <= 0.6 + 1e-6, `meets the cube at ${middle.join()}`);
  const spot = project(ORBIT, PANE, [-0.3, 0.1, 0.5]);
  assert.ok(spot);
  near(nearestShape(ray(ORBIT, PANE, spot.x, spot.y), SCENE, store(), new Map()) ?? [], [-0.3, 0.1, 0.5]);
  const floor = project(ORBIT, PANE, [-2, 1, 0]);
  assert.ok(floor);
  near(nearestShape(ray(ORBIT, PANE, floor.x, floor.y), SCENE, store(), new Map()) ?? [], [-2, 1, 0]);
});

test("a look at the sky meets nothing", () => {
  const level = { ...ORBIT, pitch: 0.05 };
  assert.equal(nearestShape(ray(level, PANE, 400, 0), SCENE, store(), new Map()), null);
});

test("rays meet turned boxes and planes where they should, and only ahead", () => {
  const sight = { origin: [-3, 0, 0], direction: [1, 0, 0] } as const;
  const turn = [Math.cos(Math.PI / 8), 0, 0, Math.sin(Math.PI / 8)] as const;
  near([meetsBox(sight, { position: [0, 0, 0], rotation: turn }, [1, 1, 1]) ?? NaN], [3 - Math.SQRT2], 1e-9);
  assert.equal(meetsBox(sight, { position: [-9, 0, 0], rotation: turn }, [1, 1, 1]), null);
  assert.equal(meetsBox(sight, { position: [0, 3, 0], rotation: turn }, [1, 1, 1]), null);
  assert.equal(meetsPlane(sight, [-5, 0, 0], [1, 0, 0]), null);
  assert.equal(meetsPlane(sight, [0, 0, 1], [0, 0, 1]), null);
  near([meetsPlane(sight, [2, 0, 0], [-1, 0, 0]) ?? NaN], [5]);
});

test("the height on a vertical line is the one nearest to the ray", () => {
  near([heightNear({ origin: [-2, 0, 1], direction: [1, 0, 0.25] }, [0, 0.3, 0]) ?? NaN], [1.5]);
  assert.equal(heightNear({ origin: [0, 0, 5], direction: [0, 0, -1] }, [1, 0, 0]), null);
});
