import assert from "node:assert/strict";
import { test } from "node:test";
import { finer, FINEST, LADDER, openBudget, pace, qualityOf, restQuality, SHARP, spend } from "../../src/view/drawBudget.ts";
import type { Budget } from "../../src/view/drawBudget.ts";

const PIXELS = 2e6;

function after(budget: Budget, drawMs: number, pictures: number, pixels = PIXELS): Budget {
  for (let i = 0; i < pictures; i++) budget = spend(budget, drawMs, pixels);
  return budget;
}

test("a graphics card begins with the finest picture, the processor without shadows and in full resolution", () => {
  assert.equal(qualityOf(openBudget(false, 6e5)), FINEST);
  const start = qualityOf(openBudget(true, 6e5));
  assert.deepEqual(start, { scale: 1, fine: false, shadows: false });
});

test("each step of the ladder is cheaper than the one before", () => {
  for (let i = 1; i < LADDER.length; i++) {
    const [finer, cheaper] = [LADDER[i - 1], LADDER[i]];
    assert.ok(finer && cheaper);
    assert.ok(cheaper.scale <= finer.scale);
    assert.ok(Number(cheaper.fine) <= Number(finer.fine) && Number(cheaper.shadows) <= Number(finer.shadows));
    assert.notDeepEqual(finer, cheaper);
  }
});

test("slow pictures give up shadows first, then resolution, down to half", () => {
  const start = openBudget(false, 6e5);
  const first = after(start, 30, 6);
  assert.deepEqual([qualityOf(first).shadows, qualityOf(first).scale], [false, 1]);
  assert.equal(qualityOf(after(start, 30, 200)).scale, 0.5);
});

test("one slow picture among quick ones changes nothing", () => {
  let budget = after(openBudget(false, 6e5), 4, 20);
  budget = spend(budget, 40, PIXELS);
  assert.equal(qualityOf(budget), FINEST);
});

test("the first pictures of a step, which compile and upload, do not count", () => {
  assert.equal(qualityOf(after(openBudget(false, 6e5), 400, 3)), FINEST);
});

test("with ease, a finer step is tried; without a graphics card never shadows", () => {
  const low = after(openBudget(true, 6e5), 40, 200);
  assert.equal(qualityOf(low).scale, 0.5);
  const high = after(low, 2, 20_000);
  assert.deepEqual(qualityOf(high), qualityOf(openBudget(true, 6e5)));
});

test("a try that fails makes the next one wait longer", () => {
  let budget = after(openBudget(false, 6e5), 30, 8);
  const step = budget.step;
  const patience = budget.triesAfter;
  budget = after(budget, 3, patience + 40);
  assert.ok(budget.step < step, "tried a finer step");
  budget = after(budget, 30, 8);
  assert.ok(budget.step >= step, "went back");
  assert.ok(budget.triesAfter > patience);
});

test("drawing takes at most its share of the time, and goes on however slow it is", () => {
  const slow = after(openBudget(true, 6e5), 80, 50);
  assert.ok(Math.abs(pace(slow, 0.5, false) - 160) < 1e-6);
  assert.ok(Math.abs(pace(slow, 0.25, false) - 320) < 1e-6);
  assert.equal(pace(after(openBudget(true, 6e5), 5000, 50), 0.5, false), 500);
});

test("what pictures wait for does not make them rarer than twenty a second", () => {
  let budget = after(openBudget(true, 3e5), 20, 10);
  assert.equal(pace(budget, 0.5, true), 40);
  for (const ms of [300, 20, 250, 22, 400, 21, 280]) {
    budget = spend(budget, ms, 3e5);
    assert.ok(pace(budget, 0.5, true) <= 48, `after ${ms} ms: ${pace(budget, 0.5, true)}`);
  }
  assert.equal(pace(budget, 0.5, false), 500, "unless nobody is in a hurry");
  for (const ms of [12, 18, 10, 17, 16]) budget = spend(budget, ms, 3e5);
  assert.equal(pace(budget, 0.5, true), 32, "what usually happens counts, where that is quick");
});

test("shaders that compile in the first pictures are forgotten as soon as these are", () => {
  let budget = after(openBudget(true, 6e5), 1400, 3);
  budget = after(budget, 12, 1);
  assert.equal(pace(budget, 0.5, true), 24);
});

test("where the processor draws, a large picture begins coarser; a graphics card begins with all of it", () => {
  const { scale } = qualityOf(openBudget(true, 2.6e6));
  assert.ok(scale < 1 && scale ** 2 * 2.6e6 <= 1.2e6);
  assert.equal(qualityOf(openBudget(true, 1e9)).scale, 0.5);
  assert.equal(qualityOf(openBudget(false, 1e9)).scale, 1);
});

test("a small picture is not blurred: pixels are not what takes its time", () => {
  assert.equal(qualityOf(after(openBudget(true, 6e5), 80, 200, 6e5)).scale, 0.85);
  assert.equal(qualityOf(after(openBudget(true, 3e5), 80, 200, 3e5)).scale, 1);
  assert.equal(qualityOf(after(openBudget(false, 3e5), 80, 200, 3e5)), SHARP);
});

test("a picture at rest is fine if there is time, a little coarser for it if it is large, and else sharp", () => {
  assert.deepEqual(restQuality(5, 8e6), FINEST);
  assert.deepEqual(restQuality(450, 6e5), FINEST);
  const large = restQuality(450, 2.6e6);
  assert.equal(large.fine && large.shadows, true);
  assert.ok(Math.abs(450 * 2.6 * large.scale ** 2 - 600) < 1e-6);
  assert.equal(restQuality(3000, 6e5), SHARP);
  assert.equal(restQuality(3000, 2.6e6), SHARP);
});

test("what is at rest is drawn again only if that makes it better", () => {
  assert.equal(finer(FINEST, null), true);
  assert.equal(finer(FINEST, SHARP), true);
  assert.equal(finer(SHARP, { ...SHARP, scale: 0.5 }), true);
  assert.equal(finer(FINEST, FINEST), false);
  assert.equal(finer(SHARP, FINEST), false);
  assert.equal(finer({ ...FINEST, scale: 0.8 }, { ...FINEST, scale: 0.75 }), false);
  assert.equal(finer(FINEST, { ...FINEST, scale: 0.75 }), true);
});
