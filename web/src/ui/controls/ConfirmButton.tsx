/** A button for what cannot be taken back: it asks first, and does it when pressed again. Left alone it asks no longer. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Milliseconds for which it asks. */
const ASKS = 4000;

interface Props {
  /** What it does in a word, and to what, for those who listen to the page. */
  readonly what: string;
  readonly whole: string;
  /** What it shows until it is pressed; else the word. */
  readonly sign?: string;
  readonly disabled: boolean;
  readonly title: string;
  readonly act: () => void;
}

export function SureButton({ what, whole, sign = what, disabled, title, act }: Props) {
  const asks = useSignal(false);
  const forget = (): void => {
    asks.value = false;
  };
  useEffect(() => {
    if (!asks.value) return;
    const lapse = setTimeout(forget, ASKS);
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
        aria-label={asks.value ? `${whole}? Press again.` : whole}
        title={asks.value ? "Press again to do it" : title}
        onClick={(event) => pressed(event.detail)}
        onBlur={forget}
        onPointerLeave={(event) => {
          if (event.pointerType === "mouse") forget(); // a finger leaves with every tap
        }}
      >
        {asks.value ? `${what}?` : sign}
      </button>
      <span class="unseen" role="status">
        {asks.value ? `${whole}? Press again.` : ""}
      </span>
    </>
  );
}
