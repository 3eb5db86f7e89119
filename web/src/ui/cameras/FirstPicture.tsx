/** What is read where a picture will be. It lies behind the picture, which covers it the moment that it is there. */

import { useComputed } from "@preact/signals";
import { useConsole } from "../context.ts";

/** Slow machines need a moment for the first picture; everything else works meanwhile. */
export function FirstPicture() {
  const { seen, stats, store } = useConsole();
  const trouble = useComputed(() => (stats.value?.problem ?? "") !== "");
  if (seen.value || trouble.value || store.exam.value) return null;
  if (store.scene.value === null || store.stalled.value !== null) return null;
  return <p class="firstpicture mute">Drawing the first picture…</p>;
}
