/** A few figures over the view, for eyes that stay on the picture. */

import { degrees, fixed } from "../../state/format.ts";
import { nearWords } from "../../state/clearance.ts";
import { slopeTone } from "../../state/tracksAttitude.ts";
import { useConsole } from "../context.ts";

/** N that nobody notices. */
const FAINT = 0.05;

export function Readout() {
  const { store } = useConsole();
  const now = store.shown.value;
  if (now === null || store.stalled.value !== null) return null;
  const [x = 0, y = 0] = now.tip;
  const { tracks } = now;
  const near = nearWords(now.near);
  const force = Math.hypot(...now.force);
  // What its motors really do, where that is known; else what the hand shall feel.
  const felt = Math.hypot(...(store.shownMaster.value?.felt ?? [now.felt]));
  return (
    <div class="readout">
      <div class="figures" aria-hidden="true">
        {tracks !== null && (
          <>
            <span class={`tone ${slopeTone(tracks.pitch, "pitch")}`}>Pitch {degrees(tracks.pitch)}</span>
            <span class={`tone ${slopeTone(tracks.roll, "roll")}`}>Roll {degrees(tracks.roll)}</span>
          </>
        )}
        <span>Tip force {fixed(force, 1)} N</span>
        {felt > FAINT && <span>Felt {fixed(felt, 1)} N</span>}
        {now.payload >= 0 && <span>Holds {fixed(now.payload, 1)} kg</span>}
        {now.tip.length > 0 && <span>Reach {fixed(Math.hypot(x, y), 2)} m</span>}
        {now.generating && <span class="warn">Signal generator</span>}
        {now.off.length > 0 && <span class="warn">Off: {now.off.join(", ")}</span>}
      </div>
      {near !== null && <span class={`nearest ${near.tone}`}>{near.text}</span>}
    </div>
  );
}
