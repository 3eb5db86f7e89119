import assert from "node:assert/strict";
import test from "node:test";
import { NOTICES, reasonsOf, SLOWER, STANDS } from "../../src/state/limitsAndNotes.ts";
import type { NoteText } from "../../src/wire.gen.ts";

const STRAIGHT: NoteText = { code: "servo.fold", text: "Elbow is nearly straight.", level: "slow", free: "Back is free." };
const FILTER: NoteText = { code: "fault-finding.filter", text: "The smooth filter is switched off.", level: "info", free: "" };
const OFF: NoteText = { code: "mode.off", text: "The robot is off.", level: "stop", free: "Power it up." };
const POWERING: NoteText = { code: "mode.powering", text: "The robot is powering up.", level: "slow", free: "" };
const PRESS: NoteText = { code: "lane.press", text: "Let go and press again to drive.", level: "info", free: "" };

function headings(...given: Parameters<typeof reasonsOf>): string[] {
  return reasonsOf(...given).map(({ heading }) => heading);
}

test("what slows a motion that is asked for is why it is slower", () => {
  for (const mode of ["teleoperation", "autonomous"] as const) {
    assert.deepEqual(reasonsOf(mode, false, [STRAIGHT]), [
      { heading: SLOWER, reasons: [{ tone: "warn", text: STRAIGHT.text, free: STRAIGHT.free }] },
    ]);
  }
});

test("while nobody asks for a motion it slows nothing: it is only noticed", () => {
  assert.deepEqual(reasonsOf("idle", false, [STRAIGHT]), [
    { heading: NOTICES, reasons: [{ tone: "info", text: STRAIGHT.text, free: STRAIGHT.free }] },
  ]);
});

test("a robot of which there is nothing to say is calm", () => {
  for (const mode of ["idle", "teleoperation"] as const) {
    assert.deepEqual(reasonsOf(mode, false, []), [{ heading: SLOWER, reasons: [{ tone: "ok", text: "Nothing slows the robot.", free: "" }] }]);
  }
});

test("what changes nothing is no reason, in whatever mode", () => {
  assert.deepEqual(headings("idle", false, [FILTER]), [NOTICES]);
  assert.deepEqual(headings("teleoperation", false, [FILTER]), [NOTICES]);
  assert.deepEqual(headings("teleoperation", false, [FILTER, STRAIGHT]), [SLOWER, NOTICES]);
});

test("a gentle start is why it is slower, without alarm", () => {
  const gently: NoteText = { code: "scale.ramp", text: "Starting gently.", level: "info", free: "" };
  assert.deepEqual(reasonsOf("teleoperation", false, [gently]), [
    { heading: SLOWER, reasons: [{ tone: "info", text: "Starting gently.", free: "" }] },
  ]);
});

test("a robot that is kept from moving is not called slow", () => {
  assert.deepEqual(headings("off", false, [OFF]), [STANDS]);
  assert.deepEqual(headings("powering", false, [POWERING]), [STANDS]);
  assert.deepEqual(headings("stopped", false, [{ ...OFF, code: "mode.stopped" }, FILTER]), [STANDS, NOTICES]);
});

test("a press that moves nothing is told why", () => {
  assert.deepEqual(headings("idle", false, [PRESS]), [STANDS]);
});

test("an interrupted move is not passed over in silence", () => {
  const [first] = reasonsOf("idle", true, []);
  assert.equal(first?.heading, NOTICES);
  assert.equal(first.reasons[0]?.text, "A move was interrupted.");
  assert.deepEqual(headings("autonomous", false, []), [SLOWER]);
});
