import assert from "node:assert/strict";
import test from "node:test";
import { bar, gripBar } from "../../src/state/jointBars.ts";
import { capital, clock, degrees, fixed, heading, milliseconds, millimetres, position } from "../../src/state/format.ts";
import { rollPitchYaw } from "../../src/state/rotation.ts";

test("numbers have a true minus sign and never a negative zero", () => {
  assert.equal(fixed(-7.24, 1), "−7.2");
  assert.equal(fixed(-0.04, 1), "0.0");
  assert.equal(fixed(NaN, 1), "–");
});

test("units as the operator reads them", () => {
  assert.equal(degrees(-Math.PI / 4), "−45.0°");
  assert.equal(heading(-Math.PI), "180.0°");
  assert.equal(heading(-3), "−171.9°");
  assert.equal(position(0.29, "slide"), "0.290 m");
  assert.equal(position(Math.PI, "hinge"), "180.0°");
  assert.equal(millimetres(0.0342), "34");
  assert.equal(milliseconds(null), "–");
  assert.equal(milliseconds(3.44), "3.4 ms");
  assert.equal(milliseconds(18.4), "18 ms");
  assert.equal(clock(161), "02:41");
  assert.equal(clock(3723), "1:02:03");
  assert.equal(capital("base axes"), "Base axes");
});

function product(a: readonly number[], b: readonly number[]): number[] {
  const [aw = 0, ax = 0, ay = 0, az = 0] = a;
  const [bw = 0, bx = 0, by = 0, bz = 0] = b;
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

function quaternion(roll: number, pitch: number, yaw: number): number[] {
  const about = (angle: number, axis: number): number[] => {
    const q = [Math.cos(angle / 2), 0, 0, 0];
    q[axis] = Math.sin(angle / 2);
    return q;
  };
  return product(about(yaw, 3), product(about(pitch, 2), about(roll, 1)));
}

test("roll, pitch and yaw give the same rotation back, at the poles too", () => {
  const cases = [
    [0.1, 0.2, 0.3],
    [-2.9, 1.2, 3.0],
    [0.4, Math.PI / 2, 0.7],
    [0.4, -Math.PI / 2, 0.7],
    [Math.PI, 0, 0],
  ] as const satisfies readonly (readonly [number, number, number])[];
  for (const angles of cases) {
    const q = quaternion(angles[0], angles[1], angles[2]);
    const [w = 0, x = 0, y = 0, z = 0] = q;
    const again = quaternion(...rollPitchYaw(w, x, y, z));
    const same = Math.abs(again.reduce((sum, value, index) => sum + value * (q[index] ?? 0), 0));
    assert.ok(same > 1 - 1e-6, `${angles.join()} came back as another rotation`);
  }
});

test("a joint's marker stands between its limits and is near one only there", () => {
  const joint = { lower: -1, upper: 1 };
  assert.deepEqual(bar(joint, 0), { at: 0.5, range: [0.06, 0.94], shut: [], near: false });
  assert.ok(bar(joint, 0.95).near);
  assert.ok(bar(joint, -0.95).near);
  assert.equal(bar(joint, 5).at, 1, "beyond a limit it stays on the bar");
});

test("what a joint cannot reach now is shut, within its limits, and near it the marker says so", () => {
  const joint = { lower: -1, upper: 1 };
  assert.deepEqual(bar(joint, 0, [-1, 1]).shut, []);
  const both = bar(joint, 0, [-0.5, 0.5]);
  assert.deepEqual(both.shut, [[0.06, 0.28], [0.72, 0.94]]);
  assert.equal(both.near, false);
  assert.ok(bar(joint, 0.48, [-1, 0.5]).near);
  assert.ok(bar(joint, -0.48, [-0.5, 1]).near);
  assert.deepEqual(bar(joint, 0, [-Infinity, 7]).shut, [], "nothing is shut beyond its limits");
});

test("a joint without limits turns round and round", () => {
  const free = { lower: null, upper: null };
  assert.equal(bar(free, 0).at, 0.5);
  assert.ok(Math.abs(bar(free, 4 * Math.PI).at - 0.5) < 1e-12);
  assert.equal(bar(free, 3).near, false);
});

test("a gripper's bar is filled as far as it is open", () => {
  assert.deepEqual(gripBar(0.02, 0.08), { at: 0.25, range: [0, 0.25], shut: [], near: false });
});
