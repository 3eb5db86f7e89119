/** Measures the way to the cell and back, and gives up a connection on which nothing comes any more. */

import type { Commands } from "../link/commands.ts";
import type { Link } from "../link/link.ts";
import { cellOf } from "../state/select.ts";
import type { Store } from "../state/store.ts";

const EVERY = 500;
/** Silence (ms) of a cell that is said to run, after which the connection itself must be dead. */
const DEAD_AFTER = 4000;

export function startPulse(store: Store, link: Link, commands: Commands, clock: () => number): void {
  setInterval(() => {
    const model = store.model.value;
    const running = link.open && cellOf(model)?.state === "running";
    if (running && clock() - model.heardAt > DEAD_AFTER) link.renew();
    if (!link.open || model.now === null) return;
    void commands.ping(clock).then((milliseconds) => {
      if (link.open) store.notice({ type: "round-trip", milliseconds });
    });
  }, EVERY);
}
