/** Switches the clearance tone on and off. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";

export function ClearanceToneSwitch() {
  const { page, tone } = useConsole();
  const on = page.tone.value;
  const { toneLabel, toneOn, toneOff } = texts().readout;
  return (
    <div class="group">
      <button
        class="chip speaker"
        title={on ? toneOn : toneOff}
        aria-label={toneLabel}
        aria-pressed={on}
        data-heard={tone.heard.value}
        onClick={() => page.setTone(!on)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path class="full" d="M2 6h2.5L8 3v10l-3.5-3H2z" />
          {on ? <path d="M10.5 5.5a3.6 3.6 0 0 1 0 5M12.4 3.6a6.2 6.2 0 0 1 0 8.8" /> : <path d="M10.5 6l4 4m0-4l-4 4" />}
        </svg>
      </button>
    </div>
  );
}
