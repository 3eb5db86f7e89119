/** The strip at the bottom: plots, and the keys of the control mode. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";
import { KeyPanel } from "../devices/KeyPanel.tsx";
import { ReplayKeys } from "../replay/ReplayKeys.tsx";
import { PlotRow } from "../plots/PlotRow.tsx";

export function Footer() {
  const { page, store } = useConsole();
  return (
    <footer class="foot">
      {page.plots.value === "hidden" ? <HiddenPlots /> : <PlotRow />}
      {!page.touch.value && (store.replay.value === null ? <KeyPanel /> : <ReplayKeys />)}
    </footer>
  );
}

/** A heading and a button in place of hidden plots. */
function HiddenPlots() {
  const { page } = useConsole();
  return (
    <section class="foldedplots row">
      <h2>{texts().plots.heading}</h2>
      <button class="chip" onClick={() => page.setPlots("small")}>
        {texts().plots.show}
      </button>
    </section>
  );
}
