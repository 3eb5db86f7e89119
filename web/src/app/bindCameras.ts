/** Ties the camera wall to the view that draws it. */

import { effect, type ReadonlySignal } from "@preact/signals";
import type { Store } from "../state/store.ts";
import { looksOf, presenceOf, type Pane } from "../state/cameraWall.ts";
import type { View } from "../view/index.ts";
import type { Screens } from "./cameraCanvases.ts";

/** Finer than this nobody sees a difference, and everybody pays for it. */
const MOST_RATIO = 2;

export function tieWall(view: View, store: Store, panes: ReadonlySignal<readonly Pane[]>, screens: Screens): void {
  view.onFrame((frame) => screens.show(frame));
  let told = "";
  effect(() => {
    const ratio = Math.min(Math.max(window.devicePixelRatio, 1), MOST_RATIO);
    const cameras = looksOf(panes.value, screens.extents.value, ratio);
    const overview = presenceOf(panes.value);
    // Numbers come many times a second; only another wall is drawn anew.
    const wall = JSON.stringify([cameras, overview]);
    if (wall === told) return;
    told = wall;
    view.setCameras(cameras, overview);
  });
  effect(() => view.follow((store.info.value?.tracks ?? null) === null ? null : store.robot.value));
}
