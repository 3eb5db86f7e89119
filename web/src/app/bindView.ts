/** Binds the 3D view to the rest of the page. */

import { effect, untracked, type Signal } from "@preact/signals";
import { redraw } from "../plots/redrawLoop.ts";
import type { PageState } from "../state/pageState.ts";
import type { Store } from "../state/store.ts";
import type { View, ViewStats } from "../view/index.ts";
import type { Devices } from "./devices.ts";

const MOVING: ReadonlySet<string> = new Set(["teleoperation", "autonomous", "paused"]);

export function bindView(
  view: View,
  store: Store,
  page: PageState,
  devices: Devices,
  stats: Signal<ViewStats | null>,
): void {
  view.onStats((now) => {
    stats.value = now;
    store.calm = now.software;
    redraw.calm(now.software);
  });
  view.onDrag((drag) => devices.dragged(drag));
  effect(() => view.setOptions(page.options.value));
  effect(() => view.setDriven(MOVING.has(store.mode.value ?? "")));
  effect(() => {
    const stalled = store.stalled.value;
    view.setDimmed(stalled !== null);
    // Nobody should drive without a picture: once it is back, driving takes a fresh press.
    if (stalled !== null && stalled >= 1) untracked(() => devices.letGo());
  });
  effect(() => view.setDraggable(draggable(store)));
}

/** Return the robot whose tip can be dragged with the pointer now, or null. */
function draggable(store: Store): string | null {
  const can = store.info.value?.mappings.some((mapping) => mapping.kind === "drag-tip") === true;
  return can && !store.exam.value && store.commanding.value && !store.latched.value ? store.robot.value : null;
}
