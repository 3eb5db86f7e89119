/** Measures the round trip to the cell, and drops a connection that has gone silent. */

import type { Commands } from "../link/commands.ts";
import type { Link } from "../link/connection.ts";
import { cellOf } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";

const PING_EVERY_MS = 500;
/** Number of measurements whose median is shown, so that one late answer does not count. */
const MEDIAN_OF = 5;
/** Silence of a running cell after which the connection is taken for dead, ms. */
const DEAD_AFTER_MS = 4000;

/** Return the median of some figures; null without any. */
export function median(figures: readonly number[]): number | null {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? null;
}

export function startLinkMonitor(store: Store, link: Link, commands: Commands, clock: () => number): void {
  let recent: number[] = [];
  setInterval(() => {
    const model = store.model.value;
    const running = link.open && cellOf(model)?.state === "running";
    if (running && clock() - model.heardAt > DEAD_AFTER_MS) link.renew();
    if (!link.open || model.now === null) return;
    void commands.ping(clock).then((milliseconds) => {
      recent = milliseconds === null ? [] : [...recent, milliseconds].slice(-MEDIAN_OF);
      if (link.open) store.notice({ type: "round-trip", milliseconds: median(recent) });
    });
  }, PING_EVERY_MS);
}
