/** Instead of the console, when the server does not let this page in. */

import { useConsole } from "../context.ts";

interface Refusal {
  readonly title: string;
  readonly text: string;
}

/** Titles by close code; see `server/protocol/close_codes.py`. */
const TITLES: Readonly<Record<number, string>> = {
  4403: "You were sent away",
  4409: "This page goes on elsewhere",
  4426: "This page is out of date",
};

/** Return what to tell the operator: a title by the close code, the rest in the server's words. */
function refusal(reason: string, closing: number): Refusal {
  return { title: TITLES[closing] ?? "Access denied", text: reason };
}

export function RefusedScreen() {
  const { store } = useConsole();
  const { reason, closing } = store.model.value;
  const { title, text } = refusal(reason, closing);
  return (
    <main class="refused">
      <div class="card">
        <h1>Farhand</h1>
        <h2>{title}</h2>
        <p>{text}</p>
        <button class="strong" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </main>
  );
}
