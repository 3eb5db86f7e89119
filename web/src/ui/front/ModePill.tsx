/** The robot's mode, as a few words on a colour. */

import { modeText } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function ModePill() {
  const { store } = useConsole();
  const { tone, text } = modeText(store.model.value, store.robot.value, store.stalled.value);
  return (
    <span class={`pill ${tone}`} title={text} data-mode={store.mode.value ?? ""}>
      {text}
    </span>
  );
}
