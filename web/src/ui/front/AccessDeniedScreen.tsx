/** Shown instead of the console when the server refuses this page. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";

/** Return the title for a close code; see `server/protocol/close_codes.py`. */
function titleOf(code: number): string {
  const { title, sentAway, openElsewhere, outOfDate } = texts().denied;
  const titles: Readonly<Record<number, string>> = { 4403: sentAway, 4409: openElsewhere, 4426: outOfDate };
  return titles[code] ?? title;
}

export function AccessDeniedScreen() {
  const { store } = useConsole();
  const { reason, closing } = store.model.value;
  return (
    <main class="refused">
      <div class="card">
        <h1>Farhand</h1>
        <h2>{titleOf(closing)}</h2>
        <p>{reason}</p>
        <button class="strong" onClick={() => location.reload()}>
          {texts().denied.reload}
        </button>
      </div>
    </main>
  );
}
