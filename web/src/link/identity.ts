/** The identity of this page: the token from the printed link, and a secret of this tab. */

import type { KeyValueStore } from "../state/settings.ts";

const TOKEN = "farhand.token";
const CLIENT = "farhand.client";
const LANGUAGE = "farhand.language";
const SECRET_BYTES = 24;
/** Length that the server accepts for a language such as "de", characters. */
const MAX_LANGUAGE_LENGTH = 16;

/** Return the token of an address like `…#token=abc`, or null. */
export function tokenIn(hash: string): string | null {
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return token === null || token === "" ? null : token;
}

/** Take the token out of the address, where others could read it, and keep it for this tab; otherwise return the kept one. */
export function takeToken(place: Location, history: History, tab: KeyValueStore, browser: KeyValueStore): string {
  const given = tokenIn(place.hash);
  if (given === null) return tab.getItem(TOKEN) ?? browser.getItem(TOKEN) ?? "";
  tab.setItem(TOKEN, given);
  history.replaceState(null, "", place.pathname + place.search);
  return given;
}

/** Keep an accepted token for all tabs; a wrong link must not lock the others out. */
export function keepToken(token: string, tab: KeyValueStore, browser: KeyValueStore): void {
  browser.setItem(TOKEN, token);
  tab.removeItem(TOKEN);
}

/** Return the operator's language: from an address like `…?lang=de`, which is kept, or the kept one. */
export function takeLanguage(place: Location, browser: KeyValueStore): string {
  const given = new URLSearchParams(place.search).get("lang");
  if (given === null || given === "") return browser.getItem(LANGUAGE) ?? "en";
  const language = given.slice(0, MAX_LANGUAGE_LENGTH);
  browser.setItem(LANGUAGE, language);
  return language;
}

/** Return random hexadecimal digits that cannot be guessed. */
export function secret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The part of `BroadcastChannel` that is used. */
export interface Channel {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

interface ClaimMessage {
  readonly kind: "claim" | "taken";
  readonly client: string;
  readonly from: string;
}

function isClaimMessage(value: unknown): value is ClaimMessage {
  return typeof value === "object" && value !== null && "kind" in value && "client" in value && "from" in value;
}

/**
 * Return this tab's secret, kept over reloads. A duplicated tab starts with a copy of it: the tab that already uses it
 * answers within `wait` (ms), and the new tab takes another one.
 */
export async function claimClient(store: KeyValueStore, channel: Channel | null, wait: number): Promise<string> {
  const me = secret();
  const mine = { client: store.getItem(CLIENT) ?? secret(), settled: false, taken: false };
  if (channel !== null) {
    const send = (kind: ClaimMessage["kind"]): void =>
      channel.postMessage({ kind, client: mine.client, from: me } satisfies ClaimMessage);
    channel.onmessage = (event) => {
      const message: unknown = event.data;
      if (!isClaimMessage(message) || message.client !== mine.client || message.from === me) return;
      if (message.kind === "taken") mine.taken = true;
      else if (mine.settled) send("taken");
    };
    send("claim");
    await new Promise((done) => setTimeout(done, wait));
  }
  if (mine.taken) mine.client = secret();
  mine.settled = true;
  store.setItem(CLIENT, mine.client);
  return mine.client;
}
