/** The stop button, always in the same place. It is grey and says so when a stop cannot be sent. */

import { texts } from "../../language/language.ts";
import { stopHindrance } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function StopButton() {
  const { store, actions, page } = useConsole();
  const hindrance = stopHindrance(store.model.value);
  return (
    <button
      class="stopbutton"
      aria-disabled={hindrance !== null}
      title={hindrance ?? texts().stop.title}
      onClick={() => void actions.stop()}
    >
      {label(hindrance !== null, page.touch.value)}
    </button>
  );
}

function label(offline: boolean, touch: boolean): string {
  const { button, buttonTouch, buttonOffline } = texts().stop;
  if (offline) return buttonOffline;
  return touch ? buttonTouch : button;
}
