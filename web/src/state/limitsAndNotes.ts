/** What is said about the robot just now, under headings that are true in its mode. Pure. */

import type { NoteText, RobotUpdate } from "../wire.gen.ts";
import type { Tone } from "./status.ts";

/** One sentence, and the way out if there is one. */
export interface Reason {
  readonly tone: Tone;
  readonly text: string;
  readonly free: string;
}

export interface Reasons {
  readonly heading: string;
  /** At least one. */
  readonly reasons: readonly Reason[];
}

type Mode = RobotUpdate["mode"];

export const SLOWER = "Why slower than asked";
export const STANDS = "Why it does not move";
export const NOTICES = "What it notices";

const TONES: Readonly<Record<NoteText["level"], Tone>> = { info: "info", slow: "warn", stop: "stop", fault: "stop" };
const CALM: Reason = { tone: "ok", text: "Nothing slows the robot.", free: "" };
const INTERRUPTED: Reason = { tone: "warn", text: "A move was interrupted.", free: "Continue takes it up again; Hold ends it." };
/** Somebody asks for a motion in vain, though these change nothing. */
const IN_VAIN: ReadonlySet<string> = new Set(["lane.press", "lane.deadman"]);
/** Slows every start a little, which is no cause for alarm. */
const GENTLE: ReadonlySet<string> = new Set(["scale.ramp"]);

/** Return what to say: first what slows or keeps the robot, then what it only notices. */
export function reasonsOf(mode: Mode | null, waiting: boolean, notes: readonly NoteText[]): readonly Reasons[] {
  const asked = mode === "teleoperation" || mode === "autonomous";
  const keeps = (note: NoteText): boolean =>
    mode === "idle" ? hinders(note) || IN_VAIN.has(note.code) : note.level !== "info" || GENTLE.has(note.code);
  const kept = notes.filter(keeps).map((note) => worded(note, TONES[note.level]));
  // Where nothing is asked for, nothing is slowed: what would slow a motion is only felt.
  const noticed = notes.filter((note) => !keeps(note)).map((note) => worded(note, "info"));
  const lists: Reasons[] = [
    { heading: asked ? SLOWER : STANDS, reasons: kept },
    { heading: NOTICES, reasons: [...(mode === "idle" && waiting ? [INTERRUPTED] : []), ...noticed] },
  ];
  const said = lists.filter(({ reasons }) => reasons.length > 0);
  return said.length > 0 ? said : [{ heading: SLOWER, reasons: [CALM] }];
}

function hinders({ level }: NoteText): boolean {
  return level === "stop" || level === "fault";
}

function worded({ text, free }: NoteText, tone: Tone): Reason {
  return { tone, text, free };
}
