/** A button for what cannot be undone: the first press asks, a second one within a few seconds acts. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { texts } from "../../language/language.ts";

/** How long it asks, ms. */
const ASKING_MS = 4000;

interface Props {
  /** Its label, and the full action for screen readers. */
  readonly label: string;
  readonly action: string;
  /** Shown in place of the label until it is pressed. */
  readonly sign?: string;
  readonly disabled: boolean;
  readonly title: string;
  readonly act: () => void;
}

export function ConfirmButton({ label, action, sign = label, disabled, title, act }: Props) {
  const { pressAgain, pressAgainTitle } = texts().general;
  const asks = useSignal(false);
  const forget = (): void => {
    asks.value = false;
  };
  useEffect(() => {
    if (!asks.value) return;
    const lapse = setTimeout(forget, ASKING_MS);
    return () => clearTimeout(lapse);
  }, [asks.value]);
  const pressed = (presses: number): void => {
    if (presses > 1) return; // the other half of a double click is no answer
    if (asks.value) act();
    asks.value = !asks.value;
  };
  return (
    <>
      <button
        type="button"
        class={asks.value ? "asks" : ""}
        disabled={disabled}
        aria-label={asks.value ? pressAgain(action) : action}
        title={asks.value ? pressAgainTitle : title}
        onClick={(event) => pressed(event.detail)}
        onBlur={forget}
        onPointerLeave={(event) => {
          if (event.pointerType === "mouse") forget(); // a finger leaves with every tap
        }}
      >
        {asks.value ? `${label}?` : sign}
      </button>
      <span class="unseen" role="status">
        {asks.value ? pressAgain(action) : ""}
      </span>
    </>
  );
}
