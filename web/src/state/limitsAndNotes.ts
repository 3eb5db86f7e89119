/** The lists "Limits" and "Notes" of a robot, from its notes and its mode. Pure. */

import { texts } from "../language/language.ts";
import type { NoteText, RobotUpdate } from "../wire.gen.ts";
import type { Tone } from "./status.ts";

/** One sentence, and the way out if there is one. */
export interface ShownNote {
  readonly tone: Tone;
  readonly text: string;
  readonly wayOut: string;
}

/** Notes under a heading; at least one. */
export interface NoteList {
  readonly heading: string;
  readonly notes: readonly ShownNote[];
}

type Mode = RobotUpdate["mode"];

const TONES: Readonly<Record<NoteText["level"], Tone>> = { info: "info", slow: "warn", stop: "stop", fault: "stop" };
/** Notes that a motion is asked for in vain: limits even in the mode "idle". */
const UNMET_REQUESTS: ReadonlySet<string> = new Set(["lane.press", "lane.deadman"]);
/** A gentle start slows every motion a little: a limit, but no warning. */
const GENTLE: ReadonlySet<string> = new Set(["scale.ramp"]);
/** Stops that last until a reset. */
const LATCHED: ReadonlySet<string> = new Set(["mode.stopped", "mode.fault"]);

/**
 * Return the limits that slow or stop the robot, then all other notes; empty lists are left out.
 *
 * `unclearing` says who can reset a stop if this page cannot: it replaces the way out of a stop.
 */
export function limitsAndNotes(
  mode: Mode | null,
  waiting: boolean,
  notes: readonly NoteText[],
  unclearing = "",
): readonly NoteList[] {
  const { heading, notes: notesHeading, free: freely, none, interrupted, interruptedWay } = texts().limits;
  const moving = mode === "teleoperation" || mode === "autonomous";
  const isLimit = (note: NoteText): boolean =>
    mode === "idle" ? stops(note) || UNMET_REQUESTS.has(note.code) : note.level !== "info" || GENTLE.has(note.code);
  const wayOut = ({ code, free }: NoteText): string => (LATCHED.has(code) && unclearing !== "" ? unclearing : free);
  const shown = (note: NoteText, tone: Tone): ShownNote => ({ tone, text: note.text, wayOut: wayOut(note) });
  const limits = notes.filter(isLimit).map((note) => shown(note, TONES[note.level]));
  // At rest there is no motion to slow: the note is information then.
  const others = notes.filter((note) => !isLimit(note)).map((note) => shown(note, "info"));
  const waitingMove: ShownNote[] = mode === "idle" && waiting ? [{ tone: "warn", text: interrupted, wayOut: interruptedWay }] : [];
  const lists: NoteList[] = [
    { heading, notes: limits },
    { heading: notesHeading, notes: [...waitingMove, ...others] },
  ];
  const filled = lists.filter((list) => list.notes.length > 0);
  return filled.length > 0 ? filled : [{ heading, notes: [{ tone: "ok", text: moving ? freely : none, wayOut: "" }] }];
}

function stops({ level }: NoteText): boolean {
  return level === "stop" || level === "fault";
}
