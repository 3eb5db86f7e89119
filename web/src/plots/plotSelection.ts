/** Which signals are plotted where. Pure. */

import { capital } from "../state/format.ts";
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
  const own = (pattern: RegExp): string[] =>
    signals.filter((signal) => signal.name.startsWith(`${robot}/`) && pattern.test(signal.name)).map((signal) => signal.name);
  const found = [own(/\/tip\/force$/), own(/\/tip\/[xyz]$/)].filter((choice) => choice.length > 0);
  return found.length > 0 ? found : [signals.slice(0, 1).map((signal) => signal.name)];
}

/**
 * Return the plots after the operator has turned from one robot to another: each that is all of the one shows the same of
 * the other, if that has all of it and no plot shows it already.
 */
export function followed(plots: readonly PlotChoice[], from: string, to: string, signals: readonly SignalInfo[]): readonly PlotChoice[] {
  const names = new Set(signals.map((signal) => signal.name));
  const shown = new Set(plots.map((choice) => choice.join("\n")));
  return plots.map((choice) => {
    if (choice.length === 0 || !choice.every((name) => name.startsWith(`${from}/`))) return choice;
    const other = choice.map((name) => `${to}${name.slice(from.length)}`);
    return other.every((name) => names.has(name)) && !shown.has(other.join("\n")) ? other : choice;
  });
}

/**
 * Return what a signal is called on its own. Names are paths like "arm/tip/x"; a label in small letters, like "x", needs
 * the part that it belongs to. With several robots their names are needed too.
 */
export function signalTitle(signal: SignalInfo, severalRobots: boolean): string {
  const [owner = "", ...rest] = signal.name.split("/");
  const part = rest.length > 1 && /^[a-z]/.test(signal.label) ? `${rest[0] ?? ""} ` : "";
  const named = signal.label.startsWith(owner) || !severalRobots || rest.length === 0;
  return capital(`${named ? "" : `${owner} `}${part}${signal.label}`);
}

/** Return the words that all titles start with. */
function shared(titles: readonly string[]): string {
  const [first = [], ...others] = titles.map((title) => title.split(" "));
  let count = first.length;
  for (const other of others) {
    while (count > 0 && first.slice(0, count).join(" ") !== other.slice(0, count).join(" ")) count -= 1;
  }
  return first.slice(0, count).join(" ");
}

/** Return the title of a plot: what its signals have in common, else the first one's title. */
export function plotTitle(signals: readonly SignalInfo[], severalRobots: boolean): string {
  const titles = signals.map((signal) => signalTitle(signal, severalRobots));
  const [first] = titles;
  if (first === undefined) return "Nothing chosen";
  if (titles.length === 1) return first;
  const start = shared(titles);
  if (start === "") return `${first} and ${titles.length - 1} more`;
  const place = signals.every((signal) => signal.unit === "m" && /(?:^| )[xyz]$/.test(signal.label));
  return place ? `${start} position` : start;
}

/** Return a signal's title without what the plot's title already says. */
export function shortLabel(title: string, plot: string): string {
  const start = shared([title, plot]);
  const rest = title.slice(start.length).trim();
  return start === "" || rest === "" ? title : rest;
}

/** Return the units of a plot's signals, each once. */
export function plotUnits(signals: readonly SignalInfo[]): string[] {
  return [...new Set(signals.map((signal) => signal.unit))].filter((unit) => unit !== "");
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
