/** Short messages, as text only: over the picture, where they cover no control, or at the foot of a dialog. */

import { useConsole } from "../context.ts";

export function Toaster() {
  const { toasts } = useConsole();
  return (
    <div class="toaster" role="log" aria-live="assertive" aria-label="Messages">
      {toasts.list.value.map((toast) => (
        <div key={toast.id} class={toast.grave ? "toast grave" : "toast"}>
          <span>{toast.text}</span>
          <button class="close" aria-label="Close this message" onClick={() => toasts.dismiss(toast.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
