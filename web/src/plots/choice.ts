/** Which signals are plotted where. Pure. */

import type { SignalInfo } from "../wire.gen.ts";

/** At most so many signals are sent to one page. */
export const MOST_SIGNALS = 16;
export const MOST_PLOTS = 6;
export const SPANS = [10, 30, 60] as const;

export type Span = (typeof SPANS)[number];

/** A plot: the names of its signals. */
export type PlotChoice = readonly string[];

/** Return all signals of all plots, each once, as many as may be listened to. */
export function union(plots: readonly PlotChoice[]): string[] {
  return [...new Set(plots.flat())].slice(0, MOST_SIGNALS);
}

/** Return the plots with a signal put into one or taken out of it; unchanged if there would be too many. */
export function toggled(plots: readonly PlotChoice[], plot: number, name: string): readonly PlotChoice[] {
  const next = plots.map((choice, index) => {
    if (index !== plot) return choice;
    return choice.includes(name) ? choice.filter((other) => other !== name) : [...choice, name];
  });
  return new Set(next.flat()).size > MOST_SIGNALS ? plots : next;
}

/** Return the plots without the signals that this cell does not have. */
export function known(plots: readonly PlotChoice[], signals: readonly SignalInfo[]): PlotChoice[] {
  const names = new Set(signals.map((signal) => signal.name));
  return plots.map((choice) => choice.filter((name) => names.has(name)));
}

/** Return the plots of a first visit: how hard the tip is pushed, and where it is. */
export function firstChoice(signals: readonly SignalInfo[], robot: string): PlotChoice[] {
  const own = signals.filter((signal) => signal.name.startsWith(`${robot}.`) || signal.name.startsWith(`${robot}/`));
  const pool = own.length > 0 ? own : signals;
  const matching = (pattern: RegExp, most: number): string[] =>
    pool.filter((signal) => pattern.test(signal.name)).map((signal) => signal.name).slice(0, most);
  const force = matching(/force$/, 1);
  const plots = [force.length > 0 ? force : matching(/force/, 3), matching(/tip.(?:position.)?[xyz]$/, 3)];
  const found = plots.filter((choice) => choice.length > 0);
  return found.length > 0 ? found : [pool.slice(0, 1).map((signal) => signal.name)];
}

/** Return the title of a plot: what its signals have in common, else the first one's name. */
export function plotTitle(choice: PlotChoice, signals: readonly SignalInfo[]): string {
  const labels = choice.map((name) => signals.find((signal) => signal.name === name)?.label ?? name);
  const [first] = labels;
  if (first === undefined) return "Nothing chosen";
  if (labels.length === 1) return first;
  const words = first.split(" ");
  let shared = words.length;
  for (const label of labels) {
    const other = label.split(" ");
    while (shared > 0 && words.slice(0, shared).join(" ") !== other.slice(0, shared).join(" ")) shared -= 1;
  }
  return shared > 0 ? words.slice(0, shared).join(" ") : `${first} and ${labels.length - 1} more`;
}

/** Return a signal's label without what the plot's title already says. */
export function shortLabel(label: string, title: string): string {
  const rest = label.startsWith(`${title} `) ? label.slice(title.length + 1) : label;
  return rest === "" ? label : rest;
}

/** Return the units of a plot's signals, each once. */
export function plotUnits(choice: PlotChoice, signals: readonly SignalInfo[]): string[] {
  const units = choice.map((name) => signals.find((signal) => signal.name === name)?.unit ?? "");
  return [...new Set(units)];
}

export function isChoice(value: unknown): value is string[][] {
  return (
    Array.isArray(value) &&
    value.length <= MOST_PLOTS &&
    value.every((plot) => Array.isArray(plot) && plot.every((name) => typeof name === "string"))
  );
}

export function isSpan(value: unknown): value is Span {
  return SPANS.some((span) => span === value);
}
