/** Over the view while a free path is looked for: that it is, and how to end it. */

import { LOOKING } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function PlanBar() {
  const { store, actions } = useConsole();
  if (!store.planning.value || store.latched.value || store.stalled.value !== null) return null;
  return (
    <div class="planbar">
      <span>{LOOKING}</span>
      {store.commanding.value && (
        <button title="Give up this move and hold" onClick={actions.hold}>
          Cancel
        </button>
      )}
    </div>
  );
}
