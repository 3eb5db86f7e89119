/** A plot as a picture of fixed size, for saving. */

import { Chart, type ChartSize } from "./chart.ts";
import { plotUnits, shortLabel, signalTitle } from "./plotSelection.ts";
import { colour, lineColour } from "./plotColours.ts";
import type { Plots } from "./plots.ts";
import type { Picture } from "./savePlots.ts";
import { thin } from "./thinSamples.ts";

const SIZE: ChartSize = { width: 1200, height: 320 };

/** Draw these signals as they are in the plot now. */
export async function picture(plots: Plots, names: readonly string[], title: string): Promise<Picture> {
  const lines = names.map((name) => plots.info(name));
  const chart = new Chart(document.createElement("div"), lines, SIZE);
  chart.draw(thin(plots.window(names), SIZE.width / 2), plots.edge, plots.span.value);
  // uPlot draws after the current task.
  await new Promise((done) => setTimeout(done, 0));
  const legend = lines.map((line, index) => ({
    text: shortLabel(signalTitle(line, plots.severalRobots), title),
    colour: colour(lineColour(index)),
  }));
  return {
    canvas: chart.canvas,
    title: `${title}  ${plotUnits(lines).join(", ")}`,
    legend: legend.length > 1 ? legend : [],
  };
}
