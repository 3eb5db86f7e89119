/** Messages to bytes and back. */

import { decode, encode } from "@msgpack/msgpack";
import type { FromPage, ToPage } from "../wire.gen.ts";

/** All of them: the compiler misses any that is left out. */
const TYPES: Readonly<Record<ToPage["type"], true>> = {
  Welcome: true,
  Refused: true,
  Cells: true,
  Scene: true,
  Update: true,
  Signals: true,
  Why: true,
  Said: true,
  Leases: true,
  Viewers: true,
  Moves: true,
  Answer: true,
  Heard: true,
};

export function pack(message: FromPage): Uint8Array<ArrayBuffer> {
  return encode(message, { ignoreUndefined: true });
}

/** Return the message in these bytes, or null if it is none that this page knows. */
export function unpackMessage(bytes: ArrayBuffer): ToPage | null {
  const value = decode(new Uint8Array(bytes));
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  // The server builds messages from the same definition, and both sides compared its hash at the start.
  return typeof value.type === "string" && Object.hasOwn(TYPES, value.type) ? (value as ToPage) : null;
}
