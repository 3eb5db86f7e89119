/** Splits a stream of pictures into its parts (multipart/x-mixed-replace). */

const NEWLINE = [13, 10];
const END = [...NEWLINE, ...NEWLINE];
const MAX_PICTURE_BYTES = 16e6;

/** Return the boundary between parts, from the header `Content-Type`; null for any other content. */
export function boundaryOf(type: string | null): string | null {
  const match = /^multipart\/x-mixed-replace\s*;.*boundary="?([^";]+)"?/i.exec(type ?? "");
  return match?.[1]?.replace(/^--/, "") ?? null;
}

/** One part of the stream: its headers and its content. */
export interface StreamPart {
  readonly headers: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Return a header of a part; null if it is missing. */
export function headerOf(part: StreamPart, name: string): string | null {
  const line = part.headers.split("\r\n").find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim() ?? null;
}

export class Multipart {
  private bytes = new Uint8Array(0);
  private readonly mark: Uint8Array;

  constructor(boundary: string) {
    this.mark = new TextEncoder().encode(`--${boundary}`);
  }

  /** Append more of the stream; return the parts that are complete now. */
  take(more: Uint8Array): StreamPart[] {
    const joined = new Uint8Array(this.bytes.length + more.length);
    joined.set(this.bytes);
    joined.set(more, this.bytes.length);
    this.bytes = joined;
    const parts: StreamPart[] = [];
    for (let part = this.part(); part !== null; part = this.part()) parts.push(part);
    if (this.bytes.length > MAX_PICTURE_BYTES) throw new Error("A picture is too large.");
    return parts;
  }

  /** Cut off the first part, if it is complete. */
  private part(): StreamPart | null {
    const start = find(this.bytes, this.mark, 0);
    const body = start < 0 ? -1 : find(this.bytes, END, start);
    if (body < 0) return null;
    const from = body + END.length;
    const headers = new TextDecoder().decode(this.bytes.subarray(start, body));
    const to = this.endOf(headers, from);
    if (to < 0 || to > this.bytes.length) return null;
    const part = { headers, body: this.bytes.slice(from, to) };
    this.bytes = this.bytes.slice(to);
    return part;
  }

  /** Return the end of a part: by its own length, or where the next part begins. */
  private endOf(headers: string, from: number): number {
    const length = /content-length:\s*(\d+)/i.exec(headers)?.[1];
    if (length !== undefined) return from + Number(length);
    const next = find(this.bytes, [...NEWLINE, ...this.mark], from);
    return next;
  }
}

/** Return the index at which these bytes are first found, or -1. */
function find(bytes: Uint8Array, wanted: ArrayLike<number>, from: number): number {
  const first = wanted[0] ?? 0;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let same = 1;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++;
    if (same === wanted.length) return at;
  }
  return -1;
}
