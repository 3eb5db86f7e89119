/** One chart on a canvas, by uPlot. */

import uPlot from "uplot";
import { fixed } from "../state/format.ts";
import { colour, lineColour } from "./plotColours.ts";
import { decimalsOf, axisRange } from "./axisRange.ts";
import type { Drawn } from "./thinSamples.ts";

export interface Line {
  readonly label: string;
  readonly unit: string;
}

/** Height below which the time axis is left out, pixels. */
const TIME_AXIS_HEIGHT_PX = 120;
/** Distance from the right edge within which a time would be cut off, pixels. */
const RIGHT_MARGIN_PX = 16;
// uPlot names its sides in its types only, which the bundler drops: numbers stand for them.
/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment */
const LEFT = 3 as uPlot.Axis.Side;
const RIGHT = 1 as uPlot.Axis.Side;
/* eslint-enable @typescript-eslint/no-unsafe-enum-assignment */
const FONT = "11px system-ui, sans-serif";

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

export class Chart {
  private readonly plot: uPlot;
  private edge = 0;
  private span = 10;
  private readonly observer: ResizeObserver | null;

  /** Fill the element, or have a fixed size, for a picture that is never shown. */
  constructor(
    private readonly place: HTMLElement,
    private readonly lines: readonly Line[],
    private readonly size: ChartSize | null = null,
  ) {
    this.plot = new uPlot(this.options(), [[], ...lines.map(() => [])], place);
    this.observer = size === null ? new ResizeObserver(() => this.fit()) : null;
    this.observer?.observe(place);
  }

  /** Width of the drawing, px. */
  get width(): number {
    return this.size?.width ?? this.place.clientWidth;
  }

  /** Draw these samples with their newest at the right edge. */
  draw(data: Drawn, edge: number, span: number): void {
    this.edge = edge;
    this.span = span;
    this.plot.setData(data);
  }

  /** Return the time under a pointer, s. */
  timeAt(clientX: number): number {
    return this.plot.posToVal(clientX - this.plot.over.getBoundingClientRect().left, "x");
  }

  /** The canvas, to save it as a picture. */
  get canvas(): HTMLCanvasElement {
    return this.plot.ctx.canvas;
  }

  dispose(): void {
    this.observer?.disconnect();
    this.plot.destroy();
  }

  private fit(): void {
    const { clientWidth: width, clientHeight: height } = this.place;
    if (width > 0 && height > 0) this.plot.setSize({ width, height });
  }

  private options(): uPlot.Options {
    const units = [...new Set(this.lines.map((line) => line.unit))];
    return {
      width: this.size?.width ?? Math.max(50, this.place.clientWidth),
      height: this.size?.height ?? Math.max(40, this.place.clientHeight),
      legend: { show: false },
      cursor: { show: false },
      padding: [6, 8, 7, 0],
      scales: { x: { time: false, range: () => [this.edge - this.span, this.edge] }, ...this.scales(units) },
      axes: [this.timeAxis(), ...units.slice(0, 2).map((unit, index) => valueAxis(unit, index === 0))],
      series: [{}, ...this.lines.map(series)],
    };
  }

  private scales(units: readonly string[]): uPlot.Scales {
    const scale = (unit: string): uPlot.Scale => ({ range: (_, low, high) => axisRange(low, high, unit) });
    return Object.fromEntries(units.map((unit) => [`y${unit}`, scale(unit)]));
  }

  private timeAxis(): uPlot.Axis {
    return {
      show: true,
      stroke: colour("--mute"),
      font: FONT,
      size: (plot) => (plot.height < TIME_AXIS_HEIGHT_PX ? 0 : 22),
      gap: 2,
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { show: false },
      space: 70,
      values: (plot, splits) => {
        const last = plot.height < TIME_AXIS_HEIGHT_PX ? -Infinity : this.edge - (RIGHT_MARGIN_PX / plot.width) * this.span;
        return splits.map((at) => (at > last ? "" : `${ticked(at, splits)} s`));
      },
    };
  }
}

function valueAxis(unit: string, left: boolean): uPlot.Axis {
  return {
    scale: `y${unit}`,
    side: left ? LEFT : RIGHT,
    stroke: colour("--mute"),
    font: FONT,
    size: 52,
    gap: 4,
    space: 26,
    grid: { show: left, stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    values: (_, splits) => splits.map((value) => ticked(value, splits)),
  };
}

function ticked(value: number, splits: readonly number[]): string {
  return fixed(value, decimalsOf(Math.abs((splits[1] ?? 1) - (splits[0] ?? 0))));
}

function series(line: Line, index: number): uPlot.Series {
  return {
    label: line.label,
    scale: `y${line.unit}`,
    stroke: colour(lineColour(index)),
    width: 1.5,
    points: { show: false },
    spanGaps: false,
  };
}
