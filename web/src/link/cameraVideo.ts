/** Pictures of a camera as the server has them: a stream for the large one, one after another for those beside it. */

import { boundaryOf, headerOf, Multipart } from "./multipart.ts";

/** Milliseconds between two pictures that are asked for one by one, and after something went wrong. */
const NOW_AND_THEN = 400;
const AFTER_TROUBLE = 3000;
/** The header that says which tick of the cell a picture shows. */
const TICK = "Farhand-Tick";

/** What is shown of a camera. */
export interface Screen {
  /** Show a picture; `tick` is the one of the cell that is seen in it, if that is known. */
  show(picture: Blob, tick: number | null): void;
  /** Say why there is no picture; empty when there is one again. */
  tell(problem: string): void;
}

/** Return the address of a camera's pictures. */
export function videoPath(cell: string, robot: string, camera: string, kind: "jpg" | "mjpeg", width: number): string {
  const [c, r, name] = [cell, robot, camera].map(encodeURIComponent);
  return `./camera/${c}/${r}/${name}.${kind}?width=${Math.round(width)}`;
}

/** Show a camera until this is called off; `live`: as often as there are pictures. Returns what calls it off. */
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
      const problem = await attempt().catch((error: unknown) => String(error));
      if (problem !== "") ticket = null;
      if (signal.aborted) return;
      screen.tell(problem);
      await pause(problem === "" ? NOW_AND_THEN : AFTER_TROUBLE, signal);
    }
  })();
  return () => ending.abort();
}

/** Leave to see one camera for a while, so that the token stands in no address; or why there is none. */
interface Ticket {
  readonly text: string;
  readonly until: number;
  readonly problem: string;
}

/** Ask for a ticket for the camera whose pictures are at this path; it is used for half of its life. */
async function ticketFor(path: string, token: string, signal: AbortSignal): Promise<Ticket> {
  const address = ticketPath(path);
  const response = await fetch(address, { method: "POST", headers: { Authorization: `Bearer ${token}` }, signal });
  if (!response.ok) return { text: "", until: 0, problem: (await response.text()).trim() || `No ticket: ${response.status}.` };
  const { ticket, seconds } = (await response.json()) as { ticket: string; seconds: number };
  return { text: ticket, until: performance.now() + 500 * seconds, problem: "" };
}

/** Return the address at which tickets for a camera are given out. */
export function ticketPath(path: string): string {
  return path.replace("./camera/", "./ticket/").replace(/\.(jpg|mjpeg)\?.*$/, "");
}

/** Fetch one picture, or a stream of them until it ends; return what went wrong. */
async function once(path: string, ask: RequestInit, live: boolean, screen: Screen): Promise<string> {
  const response = await fetch(path, ask);
  if (!response.ok) return (await response.text()).trim() || `The server has no picture: ${response.status}.`;
  if (!live) {
    screen.show(await response.blob(), tickOf(response.headers.get(TICK)));
    return "";
  }
  const boundary = boundaryOf(response.headers.get("Content-Type"));
  const reader = response.body?.getReader();
  if (boundary === null || reader === undefined) return "The server sends no stream of pictures.";
  const parts = new Multipart(boundary);
  for (let got = await reader.read(); !got.done; got = await reader.read()) {
    // What came late is left out: only the newest counts.
    const newest = parts.take(got.value).at(-1);
    if (newest === undefined) continue;
    screen.tell("");
    screen.show(new Blob([newest.body], { type: "image/jpeg" }), tickOf(headerOf(newest, TICK)));
  }
  return "The stream of pictures ended.";
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
