/** An on/off switch. Enter and a click switch it; Space is kept for Stop. */

import { texts } from "../../language/language.ts";

export interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly disabled: boolean;
  readonly change: (on: boolean) => void;
}

export function Switch({ label, on, disabled, change }: SwitchProps) {
  return (
    <button class="switch" role="switch" aria-checked={on} disabled={disabled} onClick={() => change(!on)}>
      <span class="label">{label}</span>
      <span class={on ? "state" : "state warn"}>{on ? texts().general.on : texts().general.off}</span>
      <span class="track">
        <span class="thumb" />
      </span>
    </button>
  );
}
