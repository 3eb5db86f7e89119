/** Short messages, plain text: over the picture, where they cover no control, or at the foot of a dialog. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";

export function Toaster() {
  const { toasts } = useConsole();
  return (
    <div class="toaster" role="log" aria-live="assertive" aria-label={texts().general.messages}>
      {toasts.list.value.map((toast) => (
        <div key={toast.id} class={toast.grave ? "toast grave" : "toast"}>
          <span>{toast.text}</span>
          <button class="close" aria-label={texts().general.closeMessage} onClick={() => toasts.dismiss(toast.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
