/** The choice of signals for each plot, and the titles of plots. Pure. */

import { texts } from "../language/language.ts";
import { capital } from "../state/format.ts";
import type { SignalInfo } from "../wire.gen.ts";

/** Number of signals that the server sends to one page. */
export const MAX_SIGNALS = 16;
export const MAX_PLOTS = 6;
/** Spans of time to choose from, s. */
export const SPANS = [10, 30, 60] as const;

export type Span = (typeof SPANS)[number];

/** A plot: the names of its signals. */
export type PlotChoice = readonly string[];

/** Return the signals of all plots, each once, up to the number the server sends. */
export function union(plots: readonly PlotChoice[]): string[] {
  return [...new Set(plots.flat())].slice(0, MAX_SIGNALS);
}

/** Return the plots with a signal added to one or removed from it; unchanged if there would be too many signals. */
export function toggled(plots: readonly PlotChoice[], plot: number, name: string): readonly PlotChoice[] {
  const next = plots.map((choice, index) => {
    if (index !== plot) return choice;
    return choice.includes(name) ? choice.filter((other) => other !== name) : [...choice, name];
  });
  return new Set(next.flat()).size > MAX_SIGNALS ? plots : next;
}

/** Return the plots without the signals that this cell does not have. */
export function known(plots: readonly PlotChoice[], signals: readonly SignalInfo[]): PlotChoice[] {
  const names = new Set(signals.map((signal) => signal.name));
  return plots.map((choice) => choice.filter((name) => names.has(name)));
}

/** Return the plots of a first visit: the tip's force and position. */
export function firstChoice(signals: readonly SignalInfo[], robot: string): PlotChoice[] {
  const own = (pattern: RegExp): string[] =>
    signals.filter((signal) => signal.name.startsWith(`${robot}/`) && pattern.test(signal.name)).map((signal) => signal.name);
  const found = [own(/\/tip\/force$/), own(/\/tip\/[xyz]$/)].filter((choice) => choice.length > 0);
  return found.length > 0 ? found : [signals.slice(0, 1).map((signal) => signal.name)];
}

/**
 * Return the plots after the operator has picked another robot: a plot of the one robot alone shows the same signals of
 * the other, if it has them all and no plot shows them already.
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
 * Return the title of a signal. Names are paths like "arm/tip/x"; a label in small letters, like "x", is preceded by its
 * part, and with several robots by the name of its robot.
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

/** Return the title of a plot: the words that its signals share, otherwise the first one's title. */
export function plotTitle(signals: readonly SignalInfo[], severalRobots: boolean): string {
  const titles = signals.map((signal) => signalTitle(signal, severalRobots));
  const [first] = titles;
  if (first === undefined) return texts().plots.noSignals;
  if (titles.length === 1) return first;
  const start = shared(titles);
  if (start === "") return texts().plots.andMore(first, titles.length - 1);
  const place = signals.every((signal) => signal.unit === "m" && /(?:^| )[xyz]$/.test(signal.label));
  return place ? texts().plots.position(start) : start;
}

/** Return a signal's title without the words of the plot's title. */
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
    value.length <= MAX_PLOTS &&
    value.every((plot) => Array.isArray(plot) && plot.every((name) => typeof name === "string"))
  );
}

export function isSpan(value: unknown): value is Span {
  return SPANS.some((span) => span === value);
}
