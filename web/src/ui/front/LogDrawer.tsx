/** What happened, newest last, with the cell's time. */

import { useEffect, useRef } from "preact/hooks";
import { clock } from "../../state/format.ts";
import { useConsole } from "../context.ts";

export function LogDrawer() {
  const { store, look, keys } = useConsole();
  if (look.drawer.value !== "log") return null;
  return (
    <section class="drawer" aria-label="Log">
      <div class="row">
        <h2>Log</h2>
        <span class="grow" />
        <button
          class="chip"
          title={`Close (${keys.label("log")})`}
          onClick={() => look.toggleLog()}
        >
          Close
        </button>
      </div>
      {store.log.value.length === 0 ? <p class="mute">Nothing has happened yet.</p> : <Entries />}
    </section>
  );
}

function Entries() {
  const { store } = useConsole();
  const list = useRef<HTMLOListElement>(null);
  const entries = store.log.value;
  useEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }, [entries]);
  return (
    <ol class="log" ref={list} tabIndex={0}>
      {entries.map((entry) => (
        <li key={`${entry.number} ${entry.time}`} class={entry.level}>
          <span class="mute number">{clock(entry.time)}</span>
          <span class="dot" />
          <span>
            {entry.robot !== "" && <span class="mute">{entry.robot}: </span>}
            {entry.text}
          </span>
          <span class="mute">{entry.level === "info" ? "" : entry.level}</span>
        </li>
      ))}
    </ol>
  );
}
