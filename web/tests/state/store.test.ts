import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../src/state/store.ts";
import type { Role, ToPage } from "../../src/wire.gen.ts";
import { lease, scene, update } from "../fixtures.ts";

function page({ role = "user" as Role, holder = 2 }): Store {
  const store = new Store(0);
  store.notice({ type: "watching", cell: "irb120" });
  const messages: ToPage[] = [
    { type: "Welcome", viewer: 1, name: "", version: "", cells: [], role },
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

test("an instructor sets the task and clears stops without control, but does not drive", () => {
  assert.deepEqual(may(page({ role: "instructor" })), [false, true, true]);
  assert.deepEqual(may(page({ role: "instructor", holder: 1 })), [true, true, true]);
});

test("the owner has the rights of an instructor, and an observer has none but to stop", () => {
  assert.deepEqual(may(page({ role: "owner" })), [false, true, true]);
  assert.deepEqual(may(page({ role: "observer", holder: 1 })), [false, false, false]);
});

test("a trainee drives and clears stops while in control, and never sets the task", () => {
  assert.deepEqual(may(page({ role: "trainee", holder: 1 })), [true, true, false]);
  assert.deepEqual(may(page({ role: "trainee" })), [false, false, false]);
});

test("nothing reaches a cell that is lost", () => {
  const store = page({ role: "instructor", holder: 1 });
  store.notice({ type: "lost" });
  assert.deepEqual(may(store), [false, false, false]);
});
