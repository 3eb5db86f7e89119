import assert from "node:assert/strict";
import test from "node:test";
import { notice, reduce } from "../../src/state/reduce.ts";
import { asking, controlText, modeText, stalledText, stopHindrance } from "../../src/state/status.ts";
import { bytes, driving, lease, ROBOT, scene, TIP, update } from "../fixtures.ts";

test("each mode has its words", () => {
  assert.deepEqual(modeText(driving({ mode: "idle" }), "arm"), { tone: "calm", text: "Holding" });
  assert.deepEqual(modeText(driving({ mode: "teleoperation" }), "arm"), { tone: "ok", text: "Driving · base axes" });
  assert.deepEqual(modeText(driving({ mode: "autonomous" }), "arm"), { tone: "info", text: "Moving by itself" });
});

test("while a free path is looked for, that is said in place of a move that was interrupted", () => {
  const wanted = { tone: "info", text: "Looking for a free path…" };
  assert.deepEqual(modeText(driving({ mode: "idle", planning: true }), "arm"), wanted);
  assert.deepEqual(modeText(driving({ mode: "idle", planning: true, waiting: true }), "arm"), wanted);
});

test("with the parking brake set nobody reads that it drives", () => {
  const tracks = { pitch: 0, roll: 0, flippers: bytes(), asked: bytes(), belts: bytes(0, 0), braked: true, word: "standing" } as const;
  const led = (kind: string, parked: boolean): string => {
    const model = reduce(driving(), scene({ robots: [{ ...ROBOT, mappings: [{ ...TIP, name: "way", kind }] }] }), 1);
    return modeText(reduce(model, update({}, { mode: "teleoperation", tracks: { ...tracks, parked } }), 2), "arm").text;
  };
  assert.equal(led("drive-tracks", true), "Held by the parking brake");
  assert.equal(led("drive-tracks", false), "Driving · way");
  assert.equal(led("jog-joints", true), "Driving · way", "the arm moves all the same");
});

test("nobody knows what the robot of a silent cell does", () => {
  assert.deepEqual(modeText(driving(), "arm", 1), { tone: "stop", text: "Cell not responding" });
});

test("a stop says its reason", () => {
  const note = { code: "mode.stopped", text: "Stopped: Stop was pressed.", level: "stop", free: "", answers: -1 } as const;
  const model = reduce(driving({ mode: "stopped" }), { type: "ActiveNotes", robots: { arm: [note] } }, 1);
  assert.deepEqual(modeText(model, "arm"), { tone: "stop", text: "Stopped: Stop was pressed." });
  assert.equal(modeText(driving({ mode: "stopped" }), "arm").text, "Stopped", "before the reason has come");
});

test("a script is called so", () => {
  const scripted = reduce(driving(), scene({ robots: [{ ...ROBOT, by_hand: false }] }), 1);
  const model = reduce(scripted, update({}, { mode: "teleoperation" }), 2);
  assert.equal(modeText(model, "arm").text, "A script drives · base axes");
});

test("whoever watches reads who drives", () => {
  const leases = { type: "Leases", robots: [lease({ holder: 2, name: "Guest 2" })], viewers: 3 } as const;
  const model = reduce(driving({ mode: "teleoperation" }), { ...leases, robots: [...leases.robots] }, 1);
  assert.equal(modeText(model, "arm").text, "Guest 2 drives · base axes");
  assert.equal(controlText(model, "arm"), "Watching · Guest 2 drives");
});

test("the holder reads how many look on", () => {
  const seen = (viewers: number): string =>
    controlText(reduce(driving(), { type: "Leases", robots: [lease()], viewers }, 1), "arm");
  assert.equal(seen(1), "You hold control");
  assert.equal(seen(3), "You hold control · 2 watching");
});

test("a page that asked knows it", () => {
  const askers = [{ viewer: 1, name: "Guest 1", waited: 2 }];
  const model = reduce(driving(), { type: "Leases", robots: [lease({ holder: 2, askers })], viewers: 2 }, 1);
  assert.ok(asking(model, "arm"));
  assert.ok(!asking(driving(), "arm"));
});

test("a lost connection is said with its seconds, and that Stop cannot be sent", () => {
  const model = notice(driving(), { type: "lost" });
  assert.equal(stalledText(model, 7)?.title, "Connection lost · 7 s");
  assert.match(stopHindrance(model) ?? "", /^Stop cannot be sent: not connected\./);
  assert.equal(stopHindrance(driving()), null);
});

test("a page that must wait reads why", () => {
  const model = reduce(driving(), { type: "Refused", reason: "Too many pages.", retry: true, code: 1008 }, 1);
  assert.equal(stalledText(model, 2)?.text, "The picture is out of date. Too many pages.");
});

test("a cell that died is said in the server's words", () => {
  const cells = [{ name: "irb120", summary: "", state: "lost", reason: "Its process ended; it restarts." } as const];
  const model = reduce(driving(), { type: "Cells", cells }, 1);
  assert.deepEqual(stalledText(model, 2), {
    title: "The cell has crashed · 2 s",
    text: "Its process ended; it restarts.",
  });
  assert.equal(stalledText(driving(), null), null);
});
