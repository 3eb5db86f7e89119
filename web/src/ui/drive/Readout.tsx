/** A few figures over the view, for operators who keep their eyes on the picture. */

import { texts } from "../../language/language.ts";
import { degrees, fixed } from "../../state/format.ts";
import { nearestText } from "../../state/clearance.ts";
import { slopeTone } from "../../state/tracksAttitude.ts";
import { useConsole } from "../context.ts";

/** Force below which no feedback is shown, N. */
const SHOWN_FORCE_N = 0.05;

export function Readout() {
  const { store } = useConsole();
  const now = store.shown.value;
  if (now === null || store.stalled.value !== null) return null;
  const [x = 0, y = 0] = now.tip;
  const { tracks } = now;
  const near = nearestText(now.near);
  const labels = texts().readout;
  const force = Math.hypot(...now.force);
  // The force of the device's motors where it is known, otherwise the force that is asked of them.
  const felt = Math.hypot(...(store.shownMaster.value?.felt ?? [now.felt]));
  return (
    <div class="readout">
      <div class="figures" aria-hidden="true">
        {tracks !== null && (
          <>
            <span class={`tone ${slopeTone(tracks.pitch, "pitch")}`}>{labels.pitch} {degrees(tracks.pitch)}</span>
            <span class={`tone ${slopeTone(tracks.roll, "roll")}`}>{labels.roll} {degrees(tracks.roll)}</span>
          </>
        )}
        <span>{`${labels.force} ${fixed(force, 1)} N`}</span>
        {felt > SHOWN_FORCE_N && <span>{`${labels.feedback} ${fixed(felt, 1)} N`}</span>}
        {now.payload >= 0 && <span>{`${labels.load} ${fixed(now.payload, 1)} kg`}</span>}
        {now.tip.length > 0 && <span>{`${labels.reach} ${fixed(Math.hypot(x, y), 2)} m`}</span>}
        {now.generating && <span class="warn">{labels.generator}</span>}
        {now.off.length > 0 && <span class="warn">{labels.off(now.off.join(", "))}</span>}
      </div>
      {near !== null && <span class={`nearest ${near.tone}`}>{near.text}</span>}
    </div>
  );
}
