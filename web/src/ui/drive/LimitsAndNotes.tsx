/** Why the robot is slower than asked, or does not move, and what it notices besides, in sentences. */

import { reasonsOf, type Reasons } from "../../state/limitsAndNotes.ts";
import { stalledWords } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function WhyBox() {
  const { store } = useConsole();
  const stalled = stalledWords(store.model.value, store.stalled.value);
  const old: Reasons = {
    heading: "No news",
    reasons: [{ tone: "stop", text: `${stalled?.title ?? ""}.`, free: "What stands below is old." }],
  };
  const lists = stalled === null ? reasonsOf(store.mode.value, store.waiting.value, store.notes.value) : [old];
  return (
    <section class="why">
      {lists.map(({ heading, reasons }) => (
        <div key={heading}>
          <h2>{heading}</h2>
          {reasons.map(({ tone, text, free }) => (
            <div key={text} class="note">
              <span class={`dot ${tone}`} />
              <span class={tone === "ok" ? "mute" : ""}>
                {text}
                {free !== "" && <small class="mute">{free}</small>}
              </span>
            </div>
          ))}
        </div>
      ))}
    </section>
  );
}
