/** Stop: always there, always the same place. Greyed, and said so, when it cannot be sent. */

import { stopHindrance } from "../state/words.ts";
import { useConsole } from "./context.ts";

export function StopButton() {
  const { store, actions } = useConsole();
  const hindrance = stopHindrance(store.model.value);
  return (
    <button
      class="stop"
      aria-disabled={hindrance !== null}
      title={hindrance ?? "Stop every robot of this cell (Space)"}
      onClick={() => void actions.stop()}
    >
      {hindrance === null ? "Stop · Space" : "Stop: no link"}
    </button>
  );
}
