/** Shown over the view while a free path is being planned, with a button that ends it. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";

export function PlanningBar() {
  const { store, actions } = useConsole();
  if (!store.planning.value || store.latched.value || store.stalled.value !== null) return null;
  return (
    <div class="planbar">
      <span>{texts().mode.planning}</span>
      {store.commanding.value && (
        <button title={texts().actions.cancelTitle} onClick={actions.hold}>
          {texts().actions.cancel}
        </button>
      )}
    </div>
  );
}
