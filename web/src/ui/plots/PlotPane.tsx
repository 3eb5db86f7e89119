/** One plot: title, units, a legend with the newest values, and the chart. */

import { useEffect, useRef } from "preact/hooks";
import { plotTitle, plotUnits, shortLabel, signalTitle } from "../../plots/plotSelection.ts";
import { Chart } from "../../plots/chart.ts";
import { picture } from "../../plots/plotPicture.ts";
import { lineColour } from "../../plots/plotColours.ts";
import { redraw } from "../../plots/redrawLoop.ts";
import { thin } from "../../plots/thinSamples.ts";
import { fixed } from "../../state/format.ts";
import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";
import type { Snapshots } from "./PlotRow.tsx";

interface Props {
  readonly index: number;
  readonly names: readonly string[];
  readonly snapshots: Snapshots;
}

export function PlotPane({ index, names, snapshots }: Props) {
  const console = useConsole();
  const { plots, page } = console;
  const signals = names.map((name) => plots.info(name));
  const title = plotTitle(signals, plots.severalRobots);
  const place = useChart(index, names, title, snapshots);
  const pick = (): void => {
    page.plot.value = index;
    console.open("signals");
  };
  const labels = texts().plots;
  return (
    <div class="pane">
      <div class="row">
        <h2 title={title}>{title}</h2>
        <span class="mute">{plotUnits(signals).join(", ")}</span>
        <Legend names={names} title={title} />
        <span class="grow" />
        <button class="chip quiet" aria-label={labels.chooseFor(title)} onClick={pick}>
          {labels.signals}
        </button>
        <button class="chip quiet" aria-label={labels.remove(title)} onClick={() => plots.remove(index)}>
          ×
        </button>
      </div>
      <div class="chart" ref={place} role="img" aria-label={labels.plot(title)} />
      {names.length === 0 && (
        <p class="empty">
          <button class="strong" onClick={pick}>
            {labels.choose}
          </button>
        </p>
      )}
    </div>
  );
}

/** One signal needs no legend: the title says it. */
function Legend({ names, title }: { names: readonly string[]; title: string }) {
  const { plots } = useConsole();
  if (names.length < 2) return null;
  return (
    <span class="legend">
      {names.map((name, line) => (
        <span key={name} style={{ color: `var(${lineColour(line)})` }}>
          {shortLabel(signalTitle(plots.info(name), plots.severalRobots), title)}
        </span>
      ))}
    </span>
  );
}

function useChart(index: number, names: readonly string[], title: string, snapshots: Snapshots) {
  const { plots, playback, store } = useConsole();
  const place = useRef<HTMLDivElement>(null);
  const joined = names.join("\n");
  useEffect(() => {
    if (place.current === null || names.length === 0) return;
    const lines = names.map((name) => plots.info(name));
    const chart = new Chart(place.current, lines);
    let drawn = "";
    const draw = (): void => {
      const span = plots.span.value;
      const state = `${fixed(plots.edge, 3)} ${span} ${chart.width}`;
      if (state === drawn || chart.width === 0) return;
      drawn = state;
      chart.draw(thin(plots.window(names), chart.width / 2), plots.edge, span);
    };
    const end = redraw.add(draw);
    const canvas = place.current;
    const go = (event: MouseEvent): void => {
      if (store.replay.peek() !== null) playback.seek(chart.timeAt(event.clientX));
    };
    canvas.addEventListener("click", go);
    snapshots.set(index, () => picture(plots, names, title));
    return () => {
      end();
      canvas.removeEventListener("click", go);
      snapshots.delete(index);
      chart.dispose();
    };
    // `joined` stands for `names`, whose array is new at every drawing.
  }, [joined, index, plots, title, playback, store]);
  return place;
}
