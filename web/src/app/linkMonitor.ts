/** Measures the way to the cell and back, and gives up a connection on which nothing comes any more. */

import type { Commands } from "../link/commands.ts";
import type { Link } from "../link/connection.ts";
import { cellOf } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";

const EVERY = 500;
/** So many measurements are shown as their median: one late answer is no news. */
const MEDIAN_OF = 5;
/** Silence (ms) of a cell that is said to run, after which the connection itself must be dead. */
const DEAD_AFTER = 4000;

/** Return the middle of some figures. */
export function median(figures: readonly number[]): number | null {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? null;
}

export function startPulse(store: Store, link: Link, commands: Commands, clock: () => number): void {
  let recent: number[] = [];
  setInterval(() => {
    const model = store.model.value;
    const running = link.open && cellOf(model)?.state === "running";
    if (running && clock() - model.heardAt > DEAD_AFTER) link.renew();
    if (!link.open || model.now === null) return;
    void commands.ping(clock).then((milliseconds) => {
      recent = milliseconds === null ? [] : [...recent, milliseconds].slice(-MEDIAN_OF);
      if (link.open) store.notice({ type: "round-trip", milliseconds: median(recent) });
    });
  }, EVERY);
}
