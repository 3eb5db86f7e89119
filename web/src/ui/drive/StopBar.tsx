/** Over the view while a stop is latched: why, and what leads out. */

import { modeWords } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function StopBar() {
  const { store, actions, keys } = useConsole();
  if (!store.latched.value || store.phase.value !== "open") return null;
  const { text } = modeWords(store.model.value, store.robot.value);
  const clearing = store.clearing.value;
  const next = store.shown.value?.powered === false ? "then power it up" : "then press anew";
  const then = store.mine.value ? next : "so that it can be driven again";
  const who = store.exam.value ? "Whoever holds control, or the instructor," : "Whoever holds control";
  return (
    <div class="stopbar">
      <b>{text.endsWith(".") ? text : `${text}.`}</b>
      <span>{clearing ? `Reset (${keys.label("reset")}), ${then}.` : `${who} can reset it.`}</span>
      {clearing && <button onClick={() => actions.reset()}>Reset</button>}
    </div>
  );
}
