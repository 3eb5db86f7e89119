/** Samples of every tick as comma-separated text, for a spreadsheet. */

import type { SignalInfo } from "../wire.gen.ts";
import type { Window } from "./sampleTable.ts";

/** Return the text: a header with names and units, then a line per tick. */
export function csv(window: Window, signals: readonly SignalInfo[]): string {
  const header = ["time (s)", ...signals.map(title)].map(quoted).join(",");
  const lines = Array.from(window.times, (time, row) =>
    [time.toFixed(4), ...window.columns.map((column) => cell(column[row]))].join(","),
  );
  return [header, ...lines, ""].join("\r\n");
}

function title(signal: SignalInfo): string {
  const name = signal.group === "" ? signal.label : `${signal.group}: ${signal.label}`;
  return signal.unit === "" ? name : `${name} (${signal.unit})`;
}

function cell(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "" : String(Number(value.toPrecision(7)));
}

/** Return a cell's text, quoted where it has a comma or a quote, and never a formula. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
