import assert from "node:assert/strict";
import { test } from "node:test";
import { basis, between, bounded, eye, FOV, panned, project, ray, rotation, turned, zoomed } from "../../src/view/orbitCamera.ts";
import type { Orbit } from "../../src/view/orbitCamera.ts";
import { along, cross, dot, length, rotate, subtract } from "../../src/view/math.ts";
import { near } from "./world.ts";

const PANE = { width: 800, height: 600 };
const ORBIT: Orbit = { target: [0.3, -0.2, 0.5], yaw: -0.8, pitch: 0.4, distance: 2 };

test("seen from the front, y is to the right and z is up; seen from above, x leads up", () => {
  const front = basis({ target: [0, 0, 0], yaw: 0, pitch: 0, distance: 1 });
  near(front.right, [0, 1, 0]);
  near(front.up, [0, 0, 1]);
  near(front.forward, [-1, 0, 0]);
  const top = basis({ target: [0, 0, 0], yaw: Math.PI, pitch: Math.PI / 2, distance: 1 });
  near(top.forward, [0, 0, -1]);
  near(top.up, [1, 0, 0]);
});

test("the basis is right-handed and of unit length everywhere", () => {
  for (const yaw of [-3, -1, 0, 2]) {
    for (const pitch of [-0.5, 0, 0.7, 1.5]) {
      const { right, up, forward } = basis({ ...ORBIT, yaw, pitch });
      near(cross(right, forward), up);
      near([length(right), length(up), dot(right, up), dot(right, forward)], [1, 1, 0, 0]);
    }
  }
});

test("the eye's rotation turns x to its right, y up and z towards the operator", () => {
  for (const yaw of [-3, -1, 0, 2, Math.PI]) {
    for (const pitch of [-0.5, 0, 0.7, 1.5]) {
      const orbit = { ...ORBIT, yaw, pitch };
      const [{ right, up, forward }, q] = [basis(orbit), rotation(orbit)];
      near(rotate(q, [1, 0, 0]), right);
      near(rotate(q, [0, 1, 0]), up);
      near(rotate(q, [0, 0, -1]), forward);
      near([Math.hypot(...q)], [1]);
    }
  }
});

test("the target is in the middle, at its distance", () => {
  const spot = project(ORBIT, PANE, ORBIT.target);
  assert.ok(spot);
  near([spot.x, spot.y, spot.depth], [400, 300, 2]);
  near([length(subtract(eye(ORBIT), ORBIT.target))], [2]);
});

test("the upper edge is half the angle of view above the middle", () => {
  const { up } = basis(ORBIT);
  const spot = project(ORBIT, PANE, along(ORBIT.target, up, 2 * Math.tan(FOV / 2)));
  near([spot?.y ?? NaN], [0]);
});

test("a ray goes through what is projected to its pixel", () => {
  const point = [0.5, 0.1, 0.9] as const;
  const spot = project(ORBIT, PANE, point);
  assert.ok(spot);
  const sight = ray(ORBIT, PANE, spot.x, spot.y);
  near(along(sight.origin, sight.direction, spot.depth), point);
});

test("what is behind the eye is nowhere on the screen", () => {
  assert.equal(project(ORBIT, PANE, along(eye(ORBIT), basis(ORBIT).forward, -1)), null);
});

test("dragging to the right turns the world to the right, dragging down looks from above", () => {
  const before = { target: [0, 0, 0], yaw: 0, pitch: 0.2, distance: 2 } as const;
  const facing = [0.5, 0, 0] as const;
  const after = turned(before, PANE, 50, 0);
  assert.ok((project(after, PANE, facing)?.x ?? 0) > 400);
  assert.ok(turned(before, PANE, 0, 50).pitch > before.pitch);
});

test("moving sideways keeps what is at the target's depth under the pointer", () => {
  const after = panned(ORBIT, PANE, 30, -45);
  const spot = project(after, PANE, ORBIT.target);
  near([spot?.x ?? NaN, spot?.y ?? NaN], [430, 255]);
});

test("zooming keeps what is under the pointer there", () => {
  const { right, up } = basis(ORBIT);
  const point = along(along(ORBIT.target, right, 0.3), up, -0.2);
  const spot = project(ORBIT, PANE, point);
  assert.ok(spot);
  for (const factor of [0.5, 0.9, 1.7]) {
    const after = zoomed(ORBIT, PANE, factor, spot.x, spot.y);
    near([after.distance], [2 * factor]);
    const moved = project(after, PANE, point);
    near([moved?.x ?? NaN, moved?.y ?? NaN], [spot.x, spot.y]);
  }
});

test("zooming ends at its bounds without drifting on", () => {
  const close = { ...ORBIT, distance: 0.06 };
  assert.deepEqual(zoomed(close, PANE, 0.5, 10, 10), close);
});

test("the eye stays above the floor, the target on it", () => {
  for (const pitch of [-1.5, -0.3, 0, 0.5]) {
    const kept = bounded({ ...ORBIT, target: [0, 0, -3], pitch }, 0.1);
    assert.ok(eye(kept)[2] >= 0.1 + 0.0399, `pitch ${pitch}: eye at ${eye(kept)[2]}`);
    assert.ok(kept.target[2] >= 0.1);
  }
  const free = { ...ORBIT, pitch: 0.5 };
  assert.deepEqual(bounded(free, 0), free);
});

test("a way between two orbits goes around the short side and through their middle distance", () => {
  const from = { ...ORBIT, yaw: 3, distance: 1 };
  const to = { ...ORBIT, yaw: -3, distance: 4 };
  const middle = between(from, to, 0.5);
  near([Math.cos(middle.yaw), middle.distance], [-1, 2], 1e-9);
  near([between(from, to, 0).yaw], [3]);
  near([Math.cos(between(from, to, 1).yaw), Math.sin(between(from, to, 1).yaw)], [Math.cos(-3), Math.sin(-3)]);
});
