/** The bottom: plots, and the keys that matter now. */

import { useConsole } from "../context.ts";
import { KeyPanel } from "../devices/KeyPanel.tsx";
import { PlotRow } from "../plots/PlotRow.tsx";

export function Footer() {
  const { look } = useConsole();
  return (
    <footer class="foot">
      {look.plots.value === "hidden" ? <Folded /> : <PlotRow />}
      {!look.touch.value && <KeyPanel />}
    </footer>
  );
}

/** All that is left of plots that were put away. */
function Folded() {
  const { look } = useConsole();
  return (
    <section class="foldedplots row">
      <h2>Plots</h2>
      <button class="chip" onClick={() => look.setPlots("small")}>
        Show
      </button>
    </section>
  );
}
