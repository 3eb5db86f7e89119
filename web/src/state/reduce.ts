/** Folds messages and changes of the connection into the model. Pure: unchanged parts stay the same objects. */

import type { LogEntry, ToPage } from "../wire.gen.ts";
import type { Model } from "./model.ts";
import { unpack } from "./unpackUpdate.ts";

/** Number of log entries that the page keeps. */
export const LOG_LENGTH = 500;

/** A change that the page itself detects. */
export type PageEvent =
  | { type: "opening" }
  | { type: "lost" }
  | { type: "watching"; cell: string }
  | { type: "round-trip"; milliseconds: number | null };

/** Return the model after a message that arrived at page time `at` (ms). */
export function reduce(model: Model, message: ToPage, at: number): Model {
  switch (message.type) {
    case "Welcome": {
      const { viewer, name, version, cells, role } = message;
      const exam = role === "trainee";
      return { ...model, phase: "open", reason: "", closing: 0, viewer, name, version, cells, exam, role, heardAt: at };
    }
    case "Refused":
      return { ...model, phase: message.retry ? "lost" : "refused", reason: message.reason, closing: message.code };
    case "Cells":
      return { ...model, cells: message.cells };
    case "Scene":
      if (message.cell !== model.watching) return model;
      return { ...model, scene: message, now: null, heardAt: at };
    case "Update":
      if (message.scene !== model.scene?.number) return model;
      return { ...model, now: unpack(message), heardAt: at };
    case "ActiveNotes":
      return { ...model, why: message.robots };
    case "LogEntries":
      return { ...model, log: appended(model.log, message.entries) };
    case "Leases":
      return { ...model, leases: message.robots, viewers: message.viewers };
    case "Viewers":
      return { ...model, people: message.people };
    case "Moves":
      return { ...model, moves: message.robots };
    case "Recording":
      return { ...model, runRecording: message };
    case "Answer":
    case "SpeechResult":
    case "Signals":
      return model;
  }
}

/** Return the model after a change that the page itself detected. */
export function notice(model: Model, event: PageEvent): Model {
  switch (event.type) {
    case "opening":
      return { ...model, phase: "connecting" };
    case "lost":
      if (model.phase === "refused") return model;
      return { ...model, phase: "lost", leases: [], viewers: 0, people: [], roundTrip: null };
    case "watching":
      if (event.cell === model.watching) return model;
      return {
        ...model,
        watching: event.cell,
        scene: null,
        now: null,
        leases: [],
        people: [],
        why: {},
        log: [],
        moves: {},
        runRecording: null,
      };
    case "round-trip":
      return { ...model, roundTrip: event.milliseconds };
  }
}

/** Return the log with new entries. Entries are repeated after a reconnect, and count from 0 after a restart of the cell. */
function appended(log: readonly LogEntry[], entries: readonly LogEntry[]): readonly LogEntry[] {
  const newest = log.at(-1)?.number ?? -1;
  const restarted = entries.some((entry) => entry.number <= newest && !log.some((old) => same(old, entry)));
  const known = restarted ? -1 : newest;
  const added = entries.filter((entry) => entry.number > known);
  return added.length === 0 ? log : [...log, ...added].slice(-LOG_LENGTH);
}

function same(one: LogEntry, other: LogEntry): boolean {
  return one.number === other.number && one.time === other.time && one.text === other.text;
}
