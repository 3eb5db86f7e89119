/** Binds the camera wall to the view that draws it. */

import { effect, type ReadonlySignal } from "@preact/signals";
import type { Store } from "../state/store.ts";
import { looksOf, presenceOf, type Pane } from "../state/cameraWall.ts";
import type { View } from "../view/index.ts";
import type { CameraCanvases } from "./cameraCanvases.ts";

/** Highest ratio of real to CSS pixels: a finer picture costs time and looks the same. */
const MAX_PIXEL_RATIO = 2;

export function bindCameras(view: View, store: Store, panes: ReadonlySignal<readonly Pane[]>, canvases: CameraCanvases): void {
  view.onFrame((frame) => canvases.show(frame));
  let sent = "";
  effect(() => {
    const ratio = Math.min(Math.max(window.devicePixelRatio, 1), MAX_PIXEL_RATIO);
    const cameras = looksOf(panes.value, canvases.extents.value, ratio);
    const overview = presenceOf(panes.value);
    // Numbers come many times per second; only a changed wall is sent.
    const wall = JSON.stringify([cameras, overview]);
    if (wall === sent) return;
    sent = wall;
    view.setCameras(cameras, overview);
  });
  effect(() => view.follow((store.info.value?.tracks ?? null) === null ? null : store.robot.value));
}
