/** Starts the page. */

import "./style.css";
import { render } from "preact";
import { Console } from "./app/console.ts";
import { keepFocus, noticeTouch } from "./app/pointerInput.ts";
import { expose } from "./app/testSnapshot.ts";
import { claimClient, keepToken, takeLanguage, takeToken } from "./link/identity.ts";
import { browserShelf, Settings } from "./state/settings.ts";
import { App } from "./ui/App.tsx";

/** Milliseconds that another tab has to say that it already uses this tab's secret. */
const PATIENCE = 60;

async function start(): Promise<void> {
  const [kept, tab] = [browserShelf("localStorage"), browserShelf("sessionStorage")];
  const language = takeLanguage(location, kept);
  const token = takeToken(location, history, tab, kept);
  const channel = "BroadcastChannel" in window ? new BroadcastChannel("farhand") : null;
  const client = await claimClient(tab, channel, PATIENCE);
  const console = new Console({ token, client, language, accepted: () => keepToken(token, tab, kept) }, new Settings(kept));
  expose(console);
  noticeTouch(console.look);
  keepFocus(document);
  const place = document.getElementById("page");
  if (place !== null) render(<App console={console} />, place);
  console.start();
}

void start();
