/** A camera's pictures from the server: a video stream for the large one, single pictures for the small ones. */

import { texts } from "../language/language.ts";
import { boundaryOf, headerOf, Multipart } from "./multipart.ts";

/** Time between two single pictures, and before a retry after an error, ms. */
const PICTURE_EVERY_MS = 400;
const RETRY_MS = 3000;
/** The header with the tick of the cell that a picture shows. */
const TICK_HEADER = "Farhand-Tick";

/** Receives the pictures of a camera. */
export interface Screen {
  /** Show a picture; `tick` is the cell's tick that it shows, if known. */
  show(picture: Blob, tick: number | null): void;
  /** Report why there is no picture; empty when there is one again. */
  tell(problem: string): void;
}

/** Return the address of a camera's pictures. */
export function videoPath(cell: string, robot: string, camera: string, kind: "jpg" | "mjpeg", width: number): string {
  const [c, r, name] = [cell, robot, camera].map(encodeURIComponent);
  return `./camera/${c}/${r}/${name}.${kind}?width=${Math.round(width)}`;
}

/** Show a camera, as a stream if `live`; return the function that ends it. */
export function watchVideo(path: string, token: string, live: boolean, screen: Screen): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let ticket: Ticket | null = null;
  const attempt = async (): Promise<string> => {
    if (ticket === null || performance.now() > ticket.until) ticket = await ticketFor(path, token, signal);
    if (ticket.problem !== "") return ticket.problem;
    return once(`${path}&ticket=${encodeURIComponent(ticket.text)}`, { signal }, live, screen);
  };
  void (async () => {
    for (;;) {
      const problem = await attempt().catch(() => texts().cameras.unreachable);
      if (problem !== "") ticket = null;
      if (signal.aborted) return;
      screen.tell(problem);
      await pause(problem === "" ? PICTURE_EVERY_MS : RETRY_MS, signal);
    }
  })();
  return () => ending.abort();
}

/** A short-lived ticket for one camera, so that no address holds the token; or the reason why there is none. */
interface Ticket {
  readonly text: string;
  readonly until: number;
  readonly problem: string;
}

/** Request a ticket for the camera at this path; it is used for half of its lifetime. */
async function ticketFor(path: string, token: string, signal: AbortSignal): Promise<Ticket> {
  const address = ticketPath(path);
  const response = await fetch(address, { method: "POST", headers: { Authorization: `Bearer ${token}` }, signal });
  if (!response.ok) return { text: "", until: 0, problem: (await response.text()).trim() || texts().cameras.refused(response.status) };
  const { ticket, seconds } = (await response.json()) as { ticket: string; seconds: number };
  return { text: ticket, until: performance.now() + 500 * seconds, problem: "" };
}

/** Return the address that issues tickets for a camera. */
export function ticketPath(path: string): string {
  return path.replace("./camera/", "./ticket/").replace(/\.(jpg|mjpeg)\?.*$/, "");
}

/** Fetch one picture, or a stream until it ends; return the problem, empty if there was none. */
async function once(path: string, ask: RequestInit, live: boolean, screen: Screen): Promise<string> {
  const response = await fetch(path, ask);
  if (!response.ok) return (await response.text()).trim() || texts().cameras.missing(response.status);
  if (!live) {
    screen.show(await response.blob(), tickOf(response.headers.get(TICK_HEADER)));
    return "";
  }
  const boundary = boundaryOf(response.headers.get("Content-Type"));
  const reader = response.body?.getReader();
  if (boundary === null || reader === undefined) return texts().cameras.noStream;
  const parts = new Multipart(boundary);
  for (let got = await reader.read(); !got.done; got = await reader.read()) {
    // Only the newest picture counts; the others came late.
    const newest = parts.take(got.value).at(-1);
    if (newest === undefined) continue;
    screen.tell("");
    screen.show(new Blob([newest.body], { type: "image/jpeg" }), tickOf(headerOf(newest, TICK_HEADER)));
  }
  return texts().cameras.streamEnded;
}

function tickOf(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
}
