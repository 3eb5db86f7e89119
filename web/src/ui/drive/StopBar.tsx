/** Shown over the view while a stop is latched: the cause and the way out. */

import { texts } from "../../language/language.ts";
import { modeText } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function StopBar() {
  const { store, actions, keys, page } = useConsole();
  if (!store.latched.value || store.phase.value !== "open") return null;
  const { text } = modeText(store.model.value, store.robot.value);
  const clearing = store.clearing.value;
  const labels = texts().stop;
  const then = !store.mine.value ? labels.thenOthers : store.shown.value?.powered === false ? labels.thenPowerUp : labels.thenDrive;
  const key = page.touch.value ? labels.resetKeyTouch : keys.label("reset");
  return (
    <div class="stopbar">
      <b>{text.endsWith(".") ? text : `${text}.`}</b>
      <span>{clearing ? then(key) : store.unclearing.value}</span>
      {clearing && <button onClick={() => actions.reset()}>{labels.reset}</button>}
    </div>
  );
}
