/** A dialog to choose the signals of a plot from all signals of the cell. */

import { useSignal } from "@preact/signals";
import { texts } from "../../language/language.ts";
import type { SignalInfo } from "../../wire.gen.ts";
import { MAX_SIGNALS, union } from "../../plots/plotSelection.ts";
import { useConsole } from "../context.ts";
import { Dialog } from "../controls/Dialog.tsx";

export function SignalDialog() {
  const { plots, page, toasts } = useConsole();
  const labels = texts().plots;
  const sought = useSignal("");
  const plot = page.plot.value;
  const chosen = plots.choice.value[plot] ?? [];
  const used = union(plots.choice.value).length;
  const found = plots.signals.value.filter((signal) => matches(signal, sought.value));
  const toggle = (name: string): void => {
    const full = !plots.toggle(plot, name);
    if (full) toasts.show(labels.full(MAX_SIGNALS));
  };
  return (
    <Dialog title={labels.signalsOf(plot + 1)} focused>
      <div class="row">
        <input
          type="search"
          class="search"
          autofocus
          aria-label={labels.search}
          placeholder={labels.searchHint}
          value={sought.value}
          onInput={(event) => {
            sought.value = event.currentTarget.value;
          }}
        />
        <span class="mute">{labels.used(used, MAX_SIGNALS)}</span>
      </div>
      {found.length === 0 && <p class="mute">{labels.notFound(sought.value)}</p>}
      {grouped(found).map(([group, signals]) => (
        <fieldset key={group} class="signals">
          <legend>{group === "" ? labels.cell : group}</legend>
          {signals.map((signal) => (
            <button
              key={signal.name}
              role="switch"
              aria-checked={chosen.includes(signal.name)}
              class="pick"
              onClick={() => toggle(signal.name)}
            >
              <span class="tick" aria-hidden="true">
                {chosen.includes(signal.name) ? "✓" : ""}
              </span>
              <span title={signal.label}>{signal.label}</span>
              <span class="mute">{signal.unit}</span>
            </button>
          ))}
        </fieldset>
      ))}
    </Dialog>
  );
}

/** Return whether every word of the search occurs in the signal's names. */
function matches(signal: SignalInfo, sought: string): boolean {
  const text = `${signal.group} ${signal.label} ${signal.name} ${signal.unit}`.toLowerCase();
  return sought.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

function grouped(signals: readonly SignalInfo[]): [string, SignalInfo[]][] {
  const groups = new Map<string, SignalInfo[]>();
  for (const signal of signals) groups.set(signal.group, [...(groups.get(signal.group) ?? []), signal]);
  return [...groups];
}
