/** The plots side by side, and what can be done with them. */

import { useRef } from "preact/hooks";
import { csv } from "../../plots/csv.ts";
import { MOST_PLOTS, SPANS, union } from "../../plots/plotSelection.ts";
import { download, fileName, png, type Picture } from "../../plots/savePlots.ts";
import { useConsole } from "../context.ts";
import { PlotPane } from "./PlotPane.tsx";

/** What each plot gives when it is to be saved. */
export type Snapshots = Map<number, () => Promise<Picture>>;

export function PlotRow() {
  const { plots, store } = useConsole();
  const snapshots = useRef<Snapshots>(new Map()).current;
  const choice = plots.choice.value;
  return (
    <section class="plots" aria-label="Plots">
      <div class="panes">
        {choice.map((names, index) => (
          // A chart is made for its signals: another choice makes another chart.
          <PlotPane key={`${index} ${names.join("\n")}`} index={index} names={names} snapshots={snapshots} />
        ))}
        {choice.length === 0 && (
          <p class="mute empty">
            {store.scene.value === null ? "Plots come with the cell." : "No plot. Add one to see any signal of the cell."}
          </p>
        )}
      </div>
      <PlotTools snapshots={snapshots} />
    </section>
  );
}

function PlotTools({ snapshots }: { snapshots: Snapshots }) {
  const { plots, look, keys, store } = useConsole();
  const paused = plots.pausedAt.value !== null;
  const large = look.plots.value === "large";
  const cell = store.model.value.watching;
  const savePicture = async (): Promise<void> => {
    const sheet = await png(await Promise.all([...snapshots.values()].map((snapshot) => snapshot())));
    if (sheet !== null) download(fileName(cell, "png", new Date()), sheet);
  };
  const saveTable = (): void => {
    const names = union(plots.choice.value);
    const text = csv(plots.window(names), names.map((name) => plots.info(name)));
    download(fileName(cell, "csv", new Date()), new Blob([text], { type: "text/csv" }));
  };
  return (
    <div class="plottools" role="group" aria-label="Plots: what to do">
      <div class="segments" role="group" aria-label="Seconds shown">
        {SPANS.map((span) => (
          <button key={span} aria-pressed={plots.span.value === span} onClick={() => plots.setSpan(span)}>
            {span} s
          </button>
        ))}
      </div>
      <button class={paused ? "chip strong" : "chip"} aria-pressed={paused} onClick={() => plots.pause()}>
        {paused ? "Run" : "Pause"}
      </button>
      <button class="chip" disabled={plots.choice.value.length >= MOST_PLOTS} onClick={() => plots.add()}>
        Add plot
      </button>
      <button class="chip" title="Save the plots as a picture" onClick={() => void savePicture()}>
        PNG
      </button>
      <button class="chip" title="Save every sample shown as a table" onClick={saveTable}>
        CSV
      </button>
      <button
        class="chip"
        title={`${large ? "Smaller" : "Larger"} plots (${keys.label("plots")})`}
        onClick={() => look.setPlots(large ? "small" : "large")}
      >
        {large ? "Smaller" : "Larger"}
      </button>
      <button class="chip" title="Put the plots away" onClick={() => look.setPlots("hidden")}>
        Hide
      </button>
    </div>
  );
}
