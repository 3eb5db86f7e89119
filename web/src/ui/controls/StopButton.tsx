/** Stop: always there, always the same place. Greyed, and said so, when it cannot be sent. */

import { stopHindrance } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function StopButton() {
  const { store, actions, look } = useConsole();
  const hindrance = stopHindrance(store.model.value);
  return (
    <button
      class="stopbutton"
      aria-disabled={hindrance !== null}
      title={hindrance ?? "Stop every robot of this cell (Space)"}
      onClick={() => void actions.stop()}
    >
      {words(hindrance !== null, look.touch.value)}
    </button>
  );
}

function words(hindered: boolean, touch: boolean): string {
  if (hindered) return "Stop: no link";
  return touch ? "Stop" : "Stop · Space";
}
