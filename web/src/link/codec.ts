/** Messages to bytes and back. */

import { decode, encode } from "@msgpack/msgpack";
import type { FromPage, ToPage } from "../wire.gen.ts";

const TYPES: ReadonlySet<string> = new Set<ToPage["type"]>([
  "Welcome",
  "Refused",
  "Cells",
  "Scene",
  "Update",
  "Signals",
  "Why",
  "Said",
  "Leases",
  "Answer",
]);

export function pack(message: FromPage): Uint8Array<ArrayBuffer> {
  return encode(message, { ignoreUndefined: true });
}

/** Return the message in these bytes, or null if it is none that this page knows. */
export function unpackMessage(bytes: ArrayBuffer): ToPage | null {
  const value = decode(new Uint8Array(bytes));
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  // The server builds messages from the same definition, and both sides compared its hash at the start.
  return typeof value.type === "string" && TYPES.has(value.type) ? (value as ToPage) : null;
}
