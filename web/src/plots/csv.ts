/** Samples as comma-separated text, every tick, for a spreadsheet. */

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

/** A comma or a quote inside a name must not end its cell; a leading sign must not make it a formula. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
