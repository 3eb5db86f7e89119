/** Encodes and decodes messages. */

import { decode, encode } from "@msgpack/msgpack";
import type { FromPage, ToPage } from "../wire.gen.ts";

/** All types of messages from the server; the compiler reports any that is missing. */
const TYPES: Readonly<Record<ToPage["type"], true>> = {
  Welcome: true,
  Refused: true,
  Cells: true,
  Scene: true,
  Update: true,
  Signals: true,
  ActiveNotes: true,
  LogEntries: true,
  Leases: true,
  Viewers: true,
  Moves: true,
  Recording: true,
  Answer: true,
  SpeechResult: true,
};

export function pack(message: FromPage): Uint8Array<ArrayBuffer> {
  return encode(message, { ignoreUndefined: true });
}

/** Return the message in these bytes, or null for one of an unknown type. */
export function unpackMessage(bytes: ArrayBuffer): ToPage | null {
  const value = decode(new Uint8Array(bytes));
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  // Both sides build messages from one definition and compare its hash when they connect.
  return typeof value.type === "string" && Object.hasOwn(TYPES, value.type) ? (value as ToPage) : null;
}
