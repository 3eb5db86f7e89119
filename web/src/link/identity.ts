/** Who this page is to the server: the token from the printed link, and a secret of this tab. */

import type { Shelf } from "../state/settings.ts";

const TOKEN = "farhand.token";
const CLIENT = "farhand.client";
const LANGUAGE = "farhand.language";
const SECRET_BYTES = 24;
/** Characters of a language such as "de" that the server takes. */
const LONGEST_LANGUAGE = 16;

/** Return the token of an address like `…#token=abc`, or null. */
export function tokenIn(hash: string): string | null {
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return token === null || token === "" ? null : token;
}

/** Take the token out of the address, where others could read it, and keep it for this tab; else return the kept one. */
export function takeToken(place: Location, history: History, tab: Shelf, browser: Shelf): string {
  const given = tokenIn(place.hash);
  if (given === null) return tab.getItem(TOKEN) ?? browser.getItem(TOKEN) ?? "";
  tab.setItem(TOKEN, given);
  history.replaceState(null, "", place.pathname + place.search);
  return given;
}

/** Keep a token that the server has accepted, from now on for all tabs; a wrong link must not lock the others out. */
export function keepToken(token: string, tab: Shelf, browser: Shelf): void {
  browser.setItem(TOKEN, token);
  tab.removeItem(TOKEN);
}

/** Return the language that notes are read in: the one in an address like `…?lang=de`, which is kept, or the kept one. */
export function takeLanguage(place: Location, browser: Shelf): string {
  const given = new URLSearchParams(place.search).get("lang");
  if (given === null || given === "") return browser.getItem(LANGUAGE) ?? "en";
  const language = given.slice(0, LONGEST_LANGUAGE);
  browser.setItem(LANGUAGE, language);
  return language;
}

/** Return random letters that nobody can guess. */
export function secret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The part of `BroadcastChannel` that is used. */
export interface Channel {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

interface Word {
  readonly kind: "claim" | "taken";
  readonly client: string;
  readonly from: string;
}

function isWord(value: unknown): value is Word {
  return typeof value === "object" && value !== null && "kind" in value && "client" in value && "from" in value;
}

/**
 * Return this tab's secret, kept over reloads. A duplicated tab starts with a copy of it: whoever already uses it
 * says so, and the newcomer takes another one.
 */
export async function claimClient(shelf: Shelf, channel: Channel | null, patience: number): Promise<string> {
  const me = secret();
  const mine = { client: shelf.getItem(CLIENT) ?? secret(), settled: false, taken: false };
  if (channel !== null) {
    const say = (kind: Word["kind"]): void => channel.postMessage({ kind, client: mine.client, from: me } satisfies Word);
    channel.onmessage = (event) => {
      const word: unknown = event.data;
      if (!isWord(word) || word.client !== mine.client || word.from === me) return;
      if (word.kind === "taken") mine.taken = true;
      else if (mine.settled) say("taken");
    };
    say("claim");
    await new Promise((done) => setTimeout(done, patience));
  }
  if (mine.taken) mine.client = secret();
  mine.settled = true;
  shelf.setItem(CLIENT, mine.client);
  return mine.client;
}
