/** Over the view while nothing new comes: how long, why, and what happens next. */

import { stalledWords, stopHindrance } from "../state/words.ts";
import { useConsole } from "./context.ts";

export function StalledCard() {
  const { store } = useConsole();
  const words = stalledWords(store.model.value, store.stalled.value);
  if (words === null) return null;
  const hindrance = store.scene.value === null ? null : stopHindrance(store.model.value);
  return (
    <div class="stalled">
      <b>{words.title}</b>
      <span>{words.text}</span>
      {hindrance !== null && <span class="alarm">{hindrance}</span>}
    </div>
  );
}
