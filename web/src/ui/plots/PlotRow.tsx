/** The plots side by side, with their tools. */

import { useRef } from "preact/hooks";
import { texts } from "../../language/language.ts";
import { csv } from "../../plots/csv.ts";
import { MAX_PLOTS, SPANS, union } from "../../plots/plotSelection.ts";
import { download, fileName, png, type Picture } from "../../plots/savePlots.ts";
import { useConsole } from "../context.ts";
import { PlotPane } from "./PlotPane.tsx";

/** For each plot, the function that draws it for saving. */
export type Snapshots = Map<number, () => Promise<Picture>>;

export function PlotRow() {
  const { plots, store } = useConsole();
  const snapshots = useRef<Snapshots>(new Map()).current;
  const choice = plots.choice.value;
  return (
    <section class="plots" aria-label={texts().plots.heading}>
      <div class="panes">
        {choice.map((names, index) => (
          // A chart is built for its signals: another choice builds another chart.
          <PlotPane key={`${index} ${names.join("\n")}`} index={index} names={names} snapshots={snapshots} />
        ))}
        {choice.length === 0 && (
          <p class="mute empty">
            {store.scene.value === null ? texts().plots.waiting : texts().plots.empty}
          </p>
        )}
      </div>
      <PlotTools snapshots={snapshots} />
    </section>
  );
}

function PlotTools({ snapshots }: { snapshots: Snapshots }) {
  const { plots, page, keys, store } = useConsole();
  const paused = plots.pausedAt.value !== null;
  const large = page.plots.value === "large";
  const cell = store.model.value.watching;
  const labels = texts().plots;
  const { larger, smaller } = texts().general;
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
    <div class="plottools" role="group" aria-label={labels.tools}>
      <div class="segments" role="group" aria-label={labels.span}>
        {SPANS.map((span) => (
          <button key={span} aria-pressed={plots.span.value === span} onClick={() => plots.setSpan(span)}>
            {span} s
          </button>
        ))}
      </div>
      <button class={paused ? "chip strong" : "chip"} aria-pressed={paused} onClick={() => plots.pause()}>
        {paused ? labels.run : labels.pause}
      </button>
      <button class="chip" title={labels.addTitle} disabled={plots.choice.value.length >= MAX_PLOTS} onClick={() => plots.add()}>
        {labels.add}
      </button>
      <button class="chip" title={labels.pngTitle} onClick={() => void savePicture()}>
        PNG
      </button>
      <button class="chip" title={labels.csvTitle} onClick={saveTable}>
        CSV
      </button>
      <button
        class="chip"
        title={large ? labels.smallerTitle(keys.label("plots")) : labels.largerTitle(keys.label("plots"))}
        onClick={() => page.setPlots(large ? "small" : "large")}
      >
        {large ? smaller : larger}
      </button>
      <button class="chip" title={labels.hideTitle} onClick={() => page.setPlots("hidden")}>
        {labels.hide}
      </button>
    </div>
  );
}
