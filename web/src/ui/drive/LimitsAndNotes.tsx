/** The limits that slow or stop the robot, and other notes about it, as sentences. */

import { texts } from "../../language/language.ts";
import { limitsAndNotes, type NoteList } from "../../state/limitsAndNotes.ts";
import { stalledText } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function LimitsAndNotes() {
  const { store } = useConsole();
  const stalled = stalledText(store.model.value, store.stalled.value);
  const outdated: NoteList = {
    heading: texts().limits.heading,
    notes: [{ tone: "stop", text: `${stalled?.title ?? ""}.`, wayOut: texts().stalled.valuesOutOfDate }],
  };
  const limits = (): readonly NoteList[] =>
    limitsAndNotes(store.mode.value, store.waiting.value, store.notes.value, store.unclearing.value);
  const lists = stalled === null ? limits() : [outdated];
  return (
    <section class="why">
      {lists.map(({ heading, notes }) => (
        <div key={heading}>
          <h2>{heading}</h2>
          {notes.map(({ tone, text, wayOut }) => (
            <div key={text} class="note">
              <span class={`dot ${tone}`} />
              <span class={tone === "ok" ? "mute" : ""}>
                {text}
                {wayOut !== "" && <small class="mute">{wayOut}</small>}
              </span>
            </div>
          ))}
        </div>
      ))}
    </section>
  );
}
