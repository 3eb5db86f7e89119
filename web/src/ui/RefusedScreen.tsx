/** Instead of the console, when the server does not let this page in. */

import { useConsole } from "./context.ts";

interface Refusal {
  readonly title: string;
  readonly text: string;
}

/** Return what to tell the operator; the server's own sentence stands below it. */
function refusal(reason: string): Refusal {
  if (/version|greeting/i.test(reason)) {
    return { title: "This page is out of date", text: "Farhand was updated since this page was loaded. Reload it." };
  }
  if (/token/i.test(reason)) {
    return { title: "No valid token", text: "This link has no valid token. Use the link Farhand printed." };
  }
  return { title: "Farhand does not let this page in", text: "" };
}

export function RefusedScreen() {
  const { store } = useConsole();
  const { reason } = store.model.value;
  const { title, text } = refusal(reason);
  return (
    <main class="refused">
      <div class="card">
        <h1>Farhand</h1>
        <h2>{title}</h2>
        {text !== "" && <p>{text}</p>}
        <p class="mute">{reason}</p>
        <button class="strong" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </main>
  );
}
