/** Shown over the view while no updates come: how long, the cause, and what happens next. */

import { texts } from "../../language/language.ts";
import { stalledText, stopHindrance } from "../../state/status.ts";
import { cellOf } from "../../state/selectors.ts";
import { useConsole } from "../context.ts";

export function StalledCard() {
  const { store, actions } = useConsole();
  const words = stalledText(store.model.value, store.stalled.value);
  if (words === null) return null;
  const failed = store.model.value.phase === "open" && cellOf(store.model.value)?.state === "failed";
  const hindrance = store.scene.value === null ? null : stopHindrance(store.model.value);
  return (
    <div class="stalled">
      <b>{words.title}</b>
      <span>{words.text}</span>
      {failed && (
        <button class="strong" onClick={() => void actions.restart()}>
          {texts().stalled.restart}
        </button>
      )}
      {hindrance !== null && <span class="alarm">{hindrance}</span>}
    </div>
  );
}
