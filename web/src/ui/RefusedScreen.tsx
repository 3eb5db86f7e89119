/** Instead of the console, when the server does not let this page in. */

import { useConsole } from "./context.ts";

interface Refusal {
  readonly title: string;
  readonly text: string;
}

/** Return what to tell the operator: the two things that happen in the operator's words, anything else in the server's. */
function refusal(reason: string): Refusal {
  if (/token/i.test(reason)) {
    return { title: "This page may not come in", text: "This link has no valid token. Use the link Farhand printed." };
  }
  if (/version/i.test(reason)) {
    return { title: "This page is out of date", text: "It is from another version of Farhand than the server. Reload it." };
  }
  if (/second time/i.test(reason)) return { title: "This page goes on elsewhere", text: reason };
  return { title: "This page may not come in", text: reason };
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
        <p>{text}</p>
        <button class="strong" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </main>
  );
}
