/** The event log, newest entry last, with the cell's time. */

import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../language/language.ts";
import { clock } from "../../state/format.ts";
import { useConsole } from "../context.ts";

export function LogDrawer() {
  const { store, page, keys } = useConsole();
  if (page.drawer.value !== "log") return null;
  const labels = texts().log;
  return (
    <section class="drawer" aria-label={labels.title}>
      <div class="row">
        <h2>{labels.title}</h2>
        <span class="grow" />
        <button
          class="chip"
          title={labels.close(keys.label("log"))}
          onClick={() => page.toggleLog()}
        >
          {texts().general.close}
        </button>
      </div>
      {store.log.value.length === 0 ? <p class="mute">{labels.empty}</p> : <Entries />}
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
          <span class="mute">{texts().log.levels[entry.level]}</span>
        </li>
      ))}
    </ol>
  );
}
