import assert from "node:assert/strict";
import test from "node:test";
import { FLAWS, has, turned, type Degrading } from "../../src/state/degradations.ts";

const flaw = (name: string) => FLAWS.find((each) => each.name === name) ?? assert.fail(name);
const names = (now: Degrading | null): string[] => FLAWS.filter((each) => has(now, each)).map((each) => each.name);

test("a picture that nobody made worse has no flaw", () => {
  assert.deepEqual(names(null), []);
  assert.deepEqual(names({}), []);
  assert.deepEqual(names({ resolution: 1, rate: 0, noise: 0, delay: 0, frozen: false }), []);
});

test("every flaw comes and goes by itself", () => {
  for (const each of FLAWS) {
    const worse = turned(null, each);
    assert.deepEqual(names(worse), [each.name]);
    assert.deepEqual(names(turned(worse, each)), []);
  }
});

test("another flaw leaves the ones that are there as bad as they are", () => {
  const now = { noise: 0.05, delay: 4 };
  const worse = turned(now, flaw("Coarse"));
  assert.deepEqual(names(worse), ["Coarse", "Noisy", "Late"]);
  assert.deepEqual([worse.noise, worse.delay], [0.05, 4]);
  assert.deepEqual(names(turned(worse, flaw("Late"))), ["Coarse", "Noisy"]);
});
