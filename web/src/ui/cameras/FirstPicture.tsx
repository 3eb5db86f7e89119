/** A message where the picture will be. It lies behind the picture, which covers it as soon as there is one. */

import { useComputed } from "@preact/signals";
import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";

/** Shown until the first picture is drawn, which takes a moment on slow machines. */
export function FirstPicture() {
  const { seen, stats, store } = useConsole();
  const broken = useComputed(() => (stats.value?.problem ?? "") !== "");
  if (seen.value || broken.value || store.exam.value) return null;
  if (store.scene.value === null || store.stalled.value !== null) return null;
  return <p class="firstpicture mute">{texts().view.drawing}</p>;
}
