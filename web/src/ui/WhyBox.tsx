/** Why the robot is slower than asked, in sentences; while nobody asks for anything, what else there is to say. */

import type { Note } from "../wire.gen.ts";
import { stalledWords } from "../state/words.ts";
import { useConsole } from "./context.ts";

const TONES: Readonly<Record<Note["level"], string>> = { info: "info", slow: "warn", stop: "stop", fault: "stop" };

export function WhyBox() {
  const { store } = useConsole();
  const notes = store.notes.value;
  const heading = store.mode.value === "idle" ? "Notes" : "Why slower than asked";
  const stalled = stalledWords(store.model.value, store.stalled.value);
  if (stalled !== null) {
    return (
      <section class="why">
        <h2>{heading}</h2>
        <div class="note">
          <span class="dot stop" />
          <span>
            {stalled.title}.<small class="mute">What stands below is old.</small>
          </span>
        </div>
      </section>
    );
  }
  return (
    <section class="why">
      <h2>{heading}</h2>
      {notes.length === 0 ? (
        <div class="note empty">
          <span class="dot ok" />
          <span class="mute">Nothing slows the robot.</span>
        </div>
      ) : (
        notes.map((note) => (
          <div key={note.code + note.text} class="note">
            <span class={`dot ${TONES[note.level]}`} />
            <span>
              {note.text}
              {note.free !== "" && <small class="mute">{note.free}</small>}
            </span>
          </div>
        ))
      )}
    </section>
  );
}
