/** A row for one function of a device: its name, a live bar, the input that is assigned to it. */

import type { Deflection, Input } from "../../hand/padProfile.ts";
import { texts } from "../../language/language.ts";

function inputText(input: Input | null): string {
  const { axis, button } = texts().devices;
  if (input === null) return "–";
  return input.on === "button" ? button(input.index + 1) : axis(input.index + 1, input.full > input.rest ? "+" : "−");
}

interface DeflectionProps {
  readonly name: string;
  readonly wiring: Deflection | undefined;
  readonly value: number;
  /** The prompt while this function is being taught. */
  readonly waiting: string | null;
  readonly teach: () => void;
  readonly change: (wiring: Deflection | null) => void;
}

export function DeflectionRow({ name, wiring, value, waiting, teach, change }: DeflectionProps) {
  const labels = texts().devices;
  return (
    <div class="padrow">
      <span class="name">{name}</span>
      <span class="level">
        <i style={{ left: `${Math.min(50, 50 + value * 50)}%`, width: `${Math.abs(value) * 50}%` }} />
      </span>
      {waiting === null ? (
        <span class="mute input">{wiring === undefined ? labels.notTaught : inputText(wiring.plus)}</span>
      ) : (
        <span class="warn input">{waiting}</span>
      )}
      <button class="chip" onClick={teach}>
        {labels.teach}
      </button>
      {wiring !== undefined && (
        <>
          <button
            class="chip"
            aria-pressed={wiring.invert}
            title={labels.invertTitle}
            onClick={() => change({ ...wiring, invert: !wiring.invert })}
          >
            {labels.invert}
          </button>
          <label title={labels.deadZoneTitle}>
            <span class="mute">{labels.deadZone} </span>
            <input
              type="number"
              min={0}
              max={90}
              step={1}
              value={Math.round(wiring.deadZone * 100)}
              onChange={(event) => {
                const percent = event.currentTarget.valueAsNumber;
                if (Number.isFinite(percent)) change({ ...wiring, deadZone: Math.max(0, Math.min(0.9, percent / 100)) });
              }}
            />
            <span class="mute">%</span>
          </label>
        </>
      )}
    </div>
  );
}

interface PushProps {
  readonly name: string;
  readonly input: Input | undefined;
  readonly value: number;
  readonly waiting: string | null;
  readonly teach: () => void;
}

export function PushRow({ name, input, value, waiting, teach }: PushProps) {
  return (
    <div class="padrow">
      <span class="name">{name}</span>
      <span class="level">
        <i style={{ left: "0%", width: `${value * 100}%` }} />
      </span>
      {waiting === null ? (
        <span class="mute input">{input === undefined ? texts().devices.notTaught : inputText(input)}</span>
      ) : (
        <span class="warn input">{waiting}</span>
      )}
      <button class="chip" onClick={teach}>
        {texts().devices.teach}
      </button>
    </div>
  );
}
