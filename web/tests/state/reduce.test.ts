import assert from "node:assert/strict";
import test from "node:test";
import { initial } from "../../src/state/model.ts";
import { LOG_LENGTH, notice, reduce } from "../../src/state/reduce.ts";
import { holds, latched, mappingOf, robotNow, stalledFor } from "../../src/state/selectors.ts";
import { driving, lease, said, scene, update } from "../fixtures.ts";

test("a welcome opens the page and names it", () => {
  const model = reduce(initial(0), { type: "Welcome", viewer: 7, name: "Guest 7", version: "1.2", cells: [], role: "instructor" }, 5);
  assert.equal(model.phase, "open");
  assert.equal(model.viewer, 7);
  assert.deepEqual([model.exam, model.role], [false, "instructor"]);
  assert.equal(model.heardAt, 5);
});

test("an update is unpacked and dated", () => {
  const model = driving();
  const now = robotNow(model, "arm");
  assert.deepEqual(now?.joints, [0.5]);
  assert.equal(now.tip.length, 7);
  assert.equal(mappingOf(model, "arm")?.name, "base axes");
});

test("an update of another scene changes nothing, not even its date", () => {
  const model = driving();
  assert.equal(reduce(model, update({ scene: 2, tick: 999 }), 9000), model);
});

test("what a message does not speak of stays the same object", () => {
  const model = driving();
  const next = reduce(model, { type: "ActiveNotes", robots: {} }, 2000);
  assert.equal(next.now, model.now);
  assert.equal(next.leases, model.leases);
});

test("a new scene forgets the numbers of the old one and keeps the log", () => {
  const model = reduce(driving(), { type: "LogEntries", entries: [said(1)] }, 1);
  const next = reduce(model, scene({ number: 2 }), 2);
  assert.equal(next.now, null);
  assert.equal(next.log.length, 1);
});

test("another cell has its own log, leases and scene; the same one again keeps them", () => {
  const model = reduce(driving(), { type: "LogEntries", entries: [said(1)] }, 1);
  assert.equal(notice(model, { type: "watching", cell: "irb120" }), model);
  const other = notice(model, { type: "watching", cell: "other" });
  assert.deepEqual([other.scene, other.leases, other.log], [null, [], []]);
});

test("what still comes from the cell watched before is ignored", () => {
  const other = notice(driving(), { type: "watching", cell: "other" });
  assert.equal(reduce(other, update(), 5), other);
  assert.equal(reduce(other, scene(), 5), other);
});

test("log entries are taken once, after a reconnect too", () => {
  let model = reduce(driving(), { type: "LogEntries", entries: [said(1), said(2)] }, 1);
  model = reduce(model, { type: "LogEntries", entries: [said(1), said(2), said(3)] }, 2);
  assert.deepEqual(model.log.map((entry) => entry.number), [1, 2, 3]);
});

test("a cell that was started anew counts its log from the start", () => {
  let model = reduce(driving(), { type: "LogEntries", entries: [said(1), said(2)] }, 1);
  model = reduce(model, { type: "LogEntries", entries: [said(1, "another life")] }, 2);
  assert.deepEqual(model.log.map((entry) => entry.text), ["entry 1", "entry 2", "another life"]);
});

test("the log is bounded", () => {
  const entries = Array.from({ length: LOG_LENGTH + 20 }, (_, index) => said(index));
  const model = reduce(driving(), { type: "LogEntries", entries }, 1);
  assert.equal(model.log.length, LOG_LENGTH);
  assert.equal(model.log.at(-1)?.number, LOG_LENGTH + 19);
});

test("control is held only by the viewer whom the lease names", () => {
  const model = driving();
  assert.ok(holds(model, "arm"));
  assert.ok(!holds(reduce(model, { type: "Leases", robots: [lease({ holder: 2 })], viewers: 2 }, 1), "arm"));
  assert.ok(!holds(reduce(model, { type: "Leases", robots: [lease({ holder: null })], viewers: 1 }, 1), "arm"));
  assert.ok(!holds({ ...initial(0), leases: [lease({ holder: null })] }, "arm"), "a page without a number holds nothing");
});

test("a lost connection ends control and the link figure, and keeps the picture", () => {
  const model = notice(notice(driving(), { type: "round-trip", milliseconds: 4 }), { type: "lost" });
  assert.equal(model.phase, "lost");
  assert.equal(model.roundTrip, null);
  assert.ok(!holds(model, "arm"));
  assert.notEqual(model.scene, null);
});

test("a refusal is not overwritten by the closing that follows it", () => {
  const refused = reduce(initial(0), { type: "Refused", reason: "No valid token.", retry: false, code: 1008 }, 1);
  const model = notice(refused, { type: "lost" });
  assert.equal(model.phase, "refused");
  assert.equal(model.reason, "No valid token.");
});

test("a refusal for now is a lost connection that says why, until it is welcome again", () => {
  const later = reduce(driving(), { type: "Refused", reason: "Too many pages.", retry: true, code: 1008 }, 1);
  assert.equal(later.phase, "lost");
  assert.equal(notice(later, { type: "lost" }).reason, "Too many pages.");
  assert.equal(reduce(later, { type: "Welcome", viewer: 1, name: "", version: "", cells: [], role: "user" }, 2).reason, "");
});

test("silence of half a second is a stall, counted in whole seconds", () => {
  const model = driving();
  assert.equal(stalledFor(model, 1499), null);
  assert.equal(stalledFor(model, 1500), 0);
  assert.equal(stalledFor(model, 4100), 3);
  assert.equal(stalledFor(notice(model, { type: "lost" }), 1001), 0, "a lost connection stalls at once");
});

test("stopped and fault are latched, nothing else", () => {
  const modes = ["idle", "teleoperation", "autonomous", "paused", "stopped", "fault"] as const;
  const found = modes.filter((mode) => latched(robotNow(driving({ mode }), "arm")));
  assert.deepEqual(found, ["stopped", "fault"]);
});
