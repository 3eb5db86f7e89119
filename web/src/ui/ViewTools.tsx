/** What is drawn in the view, and from where to look. */

import type { Look, ViewOptions } from "../view/api.ts";
import { useConsole } from "./context.ts";
import { ToneSwitch } from "./ToneSwitch.tsx";

const OPTIONS: readonly (readonly [keyof ViewOptions, string, string])[] = [
  ["frames", "Axes", "Axes at the base and the tip"],
  ["chain", "DH frames", "Frames along the arm (Denavit–Hartenberg)"],
  ["clearance", "Clearance", "What the arm is nearest to, and which ways it can go"],
  ["contacts", "Contacts", "Marks where things touch, sized by force"],
  ["touched", "Physics", "The shapes the physics touches with"],
  ["names", "Names", "Names of loose objects"],
];

const LOOKS: readonly (readonly [Look, string])[] = [
  ["home", "Home"],
  ["front", "Front"],
  ["side", "Side"],
  ["top", "Top"],
  ["tip", "Tip"],
];

export function ViewTools() {
  const { look, view, keys, store } = useConsole();
  const master = look.master.value !== "hidden";
  const options = look.options.value;
  return (
    <div class="viewtools">
      <div class="group" role="group" aria-label="Shown in the view">
        {OPTIONS.map(([name, label, title]) => (
          <button
            key={name}
            class="chip"
            title={title}
            aria-pressed={options[name]}
            onClick={() => look.setOption(name, !options[name])}
          >
            {label}
          </button>
        ))}
      </div>
      <ToneSwitch />
      <span class="grow" />
      <div class="group" role="group" aria-label="Look from">
        {LOOKS.map(([from, label]) => (
          <button key={from} class="chip" title={`Look from: ${label}`} onClick={() => view.look(from)}>
            {label}
          </button>
        ))}
      </div>
      <div class="group">
        {store.master.value !== null && (
          <button
            class="chip"
            title="The master in a picture of its own"
            aria-pressed={master}
            onClick={() => look.setMaster(master ? "hidden" : "small")}
          >
            Master
          </button>
        )}
        <button
          class="chip"
          title={`What happened (${keys.label("log")})`}
          aria-pressed={look.drawer.value === "log"}
          onClick={() => look.toggleLog()}
        >
          Log
        </button>
      </div>
    </div>
  );
}
