import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../src/state/store.ts";
import type { ToPage } from "../src/wire.gen.ts";
import { lease, scene, update } from "./fixtures.ts";

function page({ exam = false, trainer = false, holder = 2 }): Store {
  const store = new Store(0);
  store.notice({ type: "watching", cell: "irb120" });
  const messages: ToPage[] = [
    { type: "Welcome", viewer: 1, name: "", version: "", cells: [], exam, trainer },
    scene(),
    { type: "Leases", robots: [lease({ holder })], viewers: 2 },
    update(),
  ];
  for (const message of messages) store.heard(message, 10);
  return store;
}

const may = ({ commanding, clearing, setting }: Store): boolean[] => [commanding.value, clearing.value, setting.value];

test("who looks on may give no command, who holds control may give all", () => {
  assert.deepEqual(may(page({})), [false, false, false]);
  assert.deepEqual(may(page({ holder: 1 })), [true, true, true]);
});

test("a trainer sets the task and clears stops without control, but does not drive", () => {
  assert.deepEqual(may(page({ trainer: true })), [false, true, true]);
  assert.deepEqual(may(page({ trainer: true, holder: 1 })), [true, true, true]);
});

test("a trainee drives and clears stops while in control, and never sets the task", () => {
  assert.deepEqual(may(page({ exam: true, holder: 1 })), [true, true, false]);
  assert.deepEqual(may(page({ exam: true })), [false, false, false]);
});

test("nothing reaches a cell that is lost", () => {
  const store = page({ trainer: true, holder: 1 });
  store.notice({ type: "lost" });
  assert.deepEqual(may(store), [false, false, false]);
});
