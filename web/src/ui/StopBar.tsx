/** Over the view while a stop is latched: why, and what leads out. */

import { modeWords } from "../state/words.ts";
import { useConsole } from "./context.ts";

export function StopBar() {
  const { store, actions, keys } = useConsole();
  if (!store.latched.value || store.phase.value !== "open") return null;
  const { text } = modeWords(store.model.value, store.robot.value);
  const mine = store.mine.value;
  return (
    <div class="stopbar">
      <b>{text.endsWith(".") ? text : `${text}.`}</b>
      <span>{mine ? `Reset (${keys.label("reset")}), then press anew.` : "Whoever holds control can reset it."}</span>
      {mine && <button onClick={() => actions.reset()}>Reset</button>}
    </div>
  );
}
