import assert from "node:assert/strict";
import test from "node:test";
import { TipDragInput } from "../../src/hand/tipDragInput.ts";
import type { Answer } from "../../src/wire.gen.ts";

interface Rig {
  drag: TipDragInput;
  chosen: string[];
  readonly answer: (ok: boolean) => Promise<void>;
}

/** A cell whose model lags: it says the way that was chosen last, agreed or not. */
function rig(first = "base axes"): Rig {
  const chosen: string[] = [];
  const waiting: ((answer: Answer) => void)[] = [];
  const drag = new TipDragInput({
    modes: () => ({ now: chosen.length > 1 ? "drag" : first, drag: "drag" }),
    rotation: () => [1, 0, 0, 0],
    choose: (_, mapping) => {
      chosen.push(mapping);
      return new Promise((settle) => waiting.push(settle));
    },
    changed: () => undefined,
  });
  const answer = async (ok: boolean): Promise<void> => {
    waiting.shift()?.({ type: "Answer", id: 1, ok, text: "" });
    await Promise.resolve();
    await Promise.resolve();
  };
  return { drag, chosen, answer };
}

test("the tip is led only after the cell agreed to being dragged, and the former way comes back", async () => {
  const { drag, chosen, answer } = rig();
  void drag.start("arm", [1, 2, 3]);
  assert.equal(drag.read().deadman, false);
  await answer(true);
  drag.move([1, 2, 4]);
  assert.deepEqual(drag.read(), { deadman: true, axes: {}, pose: { position: [1, 2, 4], rotation: [1, 0, 0, 0] } });
  drag.end();
  assert.equal(drag.read().deadman, false);
  assert.deepEqual(chosen, ["drag", "base axes"]);
});

test("a drag that is over before the answer leads nothing, and the former way comes back", async () => {
  const { drag, chosen, answer } = rig();
  void drag.start("arm", [0, 0, 0]);
  drag.end();
  await answer(true);
  assert.equal(drag.read().deadman, false);
  assert.deepEqual(chosen, ["drag", "base axes"]);
});

test("a refused drag leads nothing", async () => {
  const { drag, chosen, answer } = rig();
  void drag.start("arm", [0, 0, 0]);
  await answer(false);
  assert.equal(drag.read().deadman, false);
  drag.end();
  assert.deepEqual(chosen, ["drag"]);
});

test("where dragging is the chosen way already, nothing is switched", () => {
  const { drag, chosen } = rig("drag");
  void drag.start("arm", [0, 0, 0]);
  assert.equal(drag.read().deadman, true);
  drag.release();
  assert.equal(drag.read().deadman, false);
  assert.deepEqual(chosen, []);
});

test("taken again before the former way is back, the tip is led, and the first way comes back in the end", async () => {
  const { drag, chosen, answer } = rig();
  void drag.start("arm", [0, 0, 0]);
  await answer(true);
  drag.end();
  void drag.start("arm", [0, 0, 1]); // the model still says "drag"
  await answer(true);
  await answer(true);
  assert.equal(drag.read().deadman, true);
  drag.end();
  assert.deepEqual(chosen, ["drag", "base axes", "drag", "base axes"]);
});
