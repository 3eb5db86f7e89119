/** One joint of a master: a slider that moves it while it is held, and a field for a typed value. */

import { useSignal } from "@preact/signals";
import { texts } from "../../language/language.ts";
import { capital } from "../../state/format.ts";
import type { JointInfo } from "../../wire.gen.ts";

const DEGREE = Math.PI / 180;
const MILLIMETRE = 1e-3;
const SLIDER_KEYS: ReadonlySet<string> = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]);

interface Props {
  readonly joint: JointInfo;
  /** Position, rad or m. */
  readonly value: number;
  /** The typed value, rad or m. */
  readonly typed: number | undefined;
  readonly locked: boolean;
  readonly lead: (value: number) => void;
  readonly end: () => void;
  readonly type: (value: number | null) => void;
}

export function MasterJoint({ joint, value, typed, locked, lead, end, type }: Props) {
  const name = joint.label.replaceAll("_", " ");
  const unit = joint.kind === "hinge" ? DEGREE : MILLIMETRE;
  const [lower, upper] = [joint.lower ?? -Math.PI, joint.upper ?? Math.PI];
  /** Where the slider is held, in its unit; null while it only follows the joint. */
  const held = useSignal<number | null>(null);
  const shown = round(value / unit);
  const begin = (): void => {
    held.value = shown;
    lead(value);
  };
  const letGo = (): void => {
    if (held.value === null) return;
    held.value = null;
    end();
  };
  return (
    <div class="masterjoint">
      <span class="label" title={name}>
        {capital(name)}
      </span>
      <input
        type="range"
        aria-label={name}
        min={round(lower / unit)}
        max={round(upper / unit)}
        step={0.1}
        value={held.value ?? shown}
        disabled={locked}
        onPointerDown={begin}
        onPointerUp={letGo}
        onPointerCancel={letGo}
        onLostPointerCapture={letGo}
        onBlur={letGo}
        onKeyDown={(event) => {
          if (SLIDER_KEYS.has(event.key) && !event.repeat) begin();
        }}
        onKeyUp={letGo}
        onInput={(event) => {
          if (held.value === null) return;
          held.value = event.currentTarget.valueAsNumber;
          lead(held.value * unit);
        }}
      />
      <input
        type="number"
        aria-label={texts().master.typed(name)}
        min={round(lower / unit)}
        max={round(upper / unit)}
        step={0.1}
        placeholder={shown.toFixed(1)}
        value={typed === undefined ? "" : round(typed / unit)}
        disabled={locked}
        onInput={(event) => {
          const given = event.currentTarget.valueAsNumber;
          type(Number.isFinite(given) ? Math.max(lower, Math.min(upper, given * unit)) : null);
        }}
      />
      <span class="mute">{joint.kind === "hinge" ? "°" : "mm"}</span>
    </div>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
