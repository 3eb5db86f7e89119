/** Starts the page. */

import "./style.css";
import { render } from "preact";
import { Console } from "./app/console.ts";
import { detectTouch, keepFocus } from "./app/pointerInput.ts";
import { expose } from "./app/testSnapshot.ts";
import { claimClient, keepToken, takeLanguage, takeToken } from "./link/identity.ts";
import { chooseLanguage, languageFor } from "./language/language.ts";
import { browserStore, Settings } from "./state/settings.ts";
import { App } from "./ui/App.tsx";

/** How long another tab has to answer that it already uses this tab's secret, ms. */
const CLAIM_WAIT_MS = 60;

async function start(): Promise<void> {
  const [kept, tab] = [browserStore("localStorage"), browserStore("sessionStorage")];
  const language = takeLanguage(location, kept);
  chooseLanguage(language);
  document.documentElement.lang = languageFor(language);
  const hash = location.hash;
  const token = takeToken(location, history, tab, kept);
  const channel = "BroadcastChannel" in window ? new BroadcastChannel("farhand") : null;
  const client = await claimClient(tab, channel, CLAIM_WAIT_MS);
  const console = new Console({ token, client, language, hash, accepted: () => keepToken(token, tab, kept) }, new Settings(kept));
  expose(console);
  detectTouch(console.page);
  keepFocus(document);
  const place = document.getElementById("page");
  if (place !== null) render(<App console={console} />, place);
  console.start();
}

void start();
