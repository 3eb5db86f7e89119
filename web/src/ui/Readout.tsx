/** A few figures over the view, for eyes that stay on the picture. */

import { fixed } from "../state/format.ts";
import { useConsole } from "./context.ts";

export function Readout() {
  const { store } = useConsole();
  const now = store.shown.value;
  if (now === null || store.stalled.value !== null) return null;
  const [x = 0, y = 0] = now.tip;
  const force = Math.hypot(...now.force);
  return (
    <div class="readout" aria-hidden="true">
      <span>Tip force {fixed(force, 1)} N</span>
      {now.felt > 0 && <span>Felt {fixed(now.felt, 1)} N</span>}
      <span>Reach {fixed(Math.hypot(x, y), 2)} m</span>
      {now.generating && <span class="warn">Signal generator</span>}
      {now.off.length > 0 && <span class="warn">Off: {now.off.join(", ")}</span>}
    </div>
  );
}
