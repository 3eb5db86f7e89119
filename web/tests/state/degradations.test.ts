import assert from "node:assert/strict";
import test from "node:test";
import { DEGRADATIONS, hasDegradation, withToggled, type Degrading } from "../../src/state/degradations.ts";

const degradation = (id: string) => DEGRADATIONS.find((each) => each.id === id) ?? assert.fail(id);
const ids = (now: Degrading | null): string[] => DEGRADATIONS.filter((each) => hasDegradation(now, each)).map((each) => each.id);

test("a normal picture has no degradation", () => {
  assert.deepEqual(ids(null), []);
  assert.deepEqual(ids({}), []);
  assert.deepEqual(ids({ resolution: 1, rate: 0, noise: 0, delay: 0, frozen: false }), []);
});

test("every degradation is switched on and off by itself", () => {
  for (const each of DEGRADATIONS) {
    const degraded = withToggled(null, each);
    assert.deepEqual(ids(degraded), [each.id]);
    assert.deepEqual(ids(withToggled(degraded, each)), []);
  }
});

test("another degradation leaves the others at their degree", () => {
  const now = { noise: 0.05, delay: 4 };
  const degraded = withToggled(now, degradation("resolution"));
  assert.deepEqual(ids(degraded), ["resolution", "noise", "delay"]);
  assert.deepEqual([degraded.noise, degraded.delay], [0.05, 4]);
  assert.deepEqual(ids(withToggled(degraded, degradation("delay"))), ["resolution", "noise"]);
});
