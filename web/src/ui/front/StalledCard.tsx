/** Over the view while nothing new comes: how long, why, and what happens next. */

import { stalledWords, stopHindrance } from "../../state/status.ts";
import { cellOf } from "../../state/selectors.ts";
import { useConsole } from "../context.ts";

export function StalledCard() {
  const { store, actions } = useConsole();
  const words = stalledWords(store.model.value, store.stalled.value);
  if (words === null) return null;
  const failed = store.model.value.phase === "open" && cellOf(store.model.value)?.state === "failed";
  const hindrance = store.scene.value === null ? null : stopHindrance(store.model.value);
  return (
    <div class="stalled">
      <b>{words.title}</b>
      <span>{words.text}</span>
      {failed && (
        <button class="strong" onClick={() => void actions.restart()}>
          Restart now
        </button>
      )}
      {hindrance !== null && <span class="alarm">{hindrance}</span>}
    </div>
  );
}
