import assert from "node:assert/strict";
import test from "node:test";
import { resetHindrance } from "../../src/state/disabledReasons.ts";
import { limitsAndNotes } from "../../src/state/limitsAndNotes.ts";
import type { NoteText } from "../../src/wire.gen.ts";

const STRAIGHT: NoteText = { code: "servo.fold", text: "Elbow is nearly straight.", level: "slow", free: "Back is free." };
const FILTER: NoteText = { code: "fault-finding.filter", text: "The smooth filter is switched off.", level: "info", free: "" };
const OFF: NoteText = { code: "mode.off", text: "The robot is off.", level: "stop", free: "Power it up." };
const POWERING: NoteText = { code: "mode.powering", text: "The robot is powering up.", level: "slow", free: "" };
const PRESS: NoteText = { code: "lane.press", text: "Let go and press again to drive.", level: "info", free: "" };
const [LIMITS, NOTES] = ["Limits", "Notes"];

function headings(...given: Parameters<typeof limitsAndNotes>): string[] {
  return limitsAndNotes(...given).map(({ heading }) => heading);
}

test("a note that slows a motion is a limit", () => {
  for (const mode of ["teleoperation", "autonomous"] as const) {
    assert.deepEqual(limitsAndNotes(mode, false, [STRAIGHT]), [
      { heading: LIMITS, notes: [{ tone: "warn", text: STRAIGHT.text, wayOut: STRAIGHT.free }] },
    ]);
  }
});

test("at rest the same note slows nothing and is information", () => {
  assert.deepEqual(limitsAndNotes("idle", false, [STRAIGHT]), [
    { heading: NOTES, notes: [{ tone: "info", text: STRAIGHT.text, wayOut: STRAIGHT.free }] },
  ]);
});

test("without notes a moving robot moves freely, and one at rest has no limits", () => {
  const [moving] = limitsAndNotes("teleoperation", false, []);
  assert.deepEqual(moving, { heading: LIMITS, notes: [{ tone: "ok", text: "Moving freely.", wayOut: "" }] });
  const [idle] = limitsAndNotes("idle", false, []);
  assert.deepEqual(idle, { heading: LIMITS, notes: [{ tone: "ok", text: "None.", wayOut: "" }] });
});

test("a note that changes no motion is never a limit", () => {
  assert.deepEqual(headings("idle", false, [FILTER]), [NOTES]);
  assert.deepEqual(headings("teleoperation", false, [FILTER]), [NOTES]);
  assert.deepEqual(headings("teleoperation", false, [FILTER, STRAIGHT]), [LIMITS, NOTES]);
});

test("a gentle start is a limit without a warning", () => {
  const gently: NoteText = { code: "scale.ramp", text: "Starting gently.", level: "info", free: "" };
  assert.deepEqual(limitsAndNotes("teleoperation", false, [gently]), [
    { heading: LIMITS, notes: [{ tone: "info", text: "Starting gently.", wayOut: "" }] },
  ]);
});

test("whatever keeps a robot from moving is a limit", () => {
  assert.deepEqual(headings("off", false, [OFF]), [LIMITS]);
  assert.deepEqual(headings("powering", false, [POWERING]), [LIMITS]);
  assert.deepEqual(headings("stopped", false, [{ ...OFF, code: "mode.stopped" }, FILTER]), [LIMITS, NOTES]);
});

test("a page that cannot reset a stop reads who can", () => {
  const stopped: NoteText = { code: "mode.stopped", text: "Stopped.", level: "stop", free: "Press Enter to reset." };
  const wayOut = (unclearing: string) => limitsAndNotes("stopped", false, [stopped], unclearing)[0]?.notes[0]?.wayOut;
  assert.equal(wayOut(""), "Press Enter to reset.");
  assert.equal(wayOut(resetHindrance(false, false)), "Only the operator in control can reset the robot.");
  assert.equal(wayOut(resetHindrance(true, false)), "Press Enter to reset.");
  const [limits] = limitsAndNotes("stopped", false, [{ ...STRAIGHT, level: "stop" }], "Only others can.");
  assert.equal(limits?.notes[0]?.wayOut, STRAIGHT.free);
});

test("a press without effect is explained as a limit", () => {
  assert.deepEqual(headings("idle", false, [PRESS]), [LIMITS]);
});

test("an interrupted move is shown as a note with its way out", () => {
  const [first] = limitsAndNotes("idle", true, []);
  assert.equal(first?.heading, NOTES);
  assert.equal(first.notes[0]?.text, "The move was interrupted.");
  assert.equal(first.notes[0].wayOut, "Press Continue to finish it, or Hold to end it.");
  assert.deepEqual(headings("autonomous", false, []), [LIMITS]);
});
