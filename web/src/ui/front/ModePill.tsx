/** What the robot does now, in a word and a colour. */

import { modeWords } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function ModePill() {
  const { store } = useConsole();
  const { tone, text } = modeWords(store.model.value, store.robot.value, store.stalled.value);
  return (
    <span class={`pill ${tone}`} title={text} data-mode={store.mode.value ?? ""}>
      {text}
    </span>
  );
}
