/** What is read where a picture will be. It lies behind the picture, which covers it the moment that it is there. */

import { useConsole } from "./context.ts";

/** Slow machines need a moment for the first picture; everything else works meanwhile. */
export function FirstPicture() {
  const { stats, store } = useConsole();
  if (store.exam.value) return null;
  const waiting = stats.value?.seen !== true && (stats.value?.problem ?? "") === "";
  if (!waiting || store.scene.value === null || store.stalled.value !== null) return null;
  return <p class="firstpicture mute">Drawing the first picture…</p>;
}
