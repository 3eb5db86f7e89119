/** One function of a device: what it does, which input does it, and a bar that moves with it. */

import type { AxisWords } from "../../hand/axesAndActions.ts";
import type { Deflection, Input } from "../../hand/padProfile.ts";

export function inputWords(input: Input | null | undefined): string {
  if (input === null || input === undefined) return "–";
  return input.on === "button" ? `button ${input.index + 1}` : `axis ${input.index + 1} ${input.full > input.rest ? "+" : "−"}`;
}

interface DeflectionProps {
  readonly words: AxisWords;
  readonly wiring: Deflection | undefined;
  readonly value: number;
  /** What to do now, while this function is being taught. */
  readonly waiting: string | null;
  readonly teach: () => void;
  readonly change: (wiring: Deflection | null) => void;
}

export function DeflectionRow({ words, wiring, value, waiting, teach, change }: DeflectionProps) {
  return (
    <div class="padrow">
      <span class="name">{words.name}</span>
      <span class="level">
        <i style={{ left: `${Math.min(50, 50 + value * 50)}%`, width: `${Math.abs(value) * 50}%` }} />
      </span>
      {waiting === null ? (
        <span class="mute input">{wiring === undefined ? "not taught" : inputWords(wiring.plus)}</span>
      ) : (
        <span class="warn input">{waiting}</span>
      )}
      <button class="chip" onClick={teach}>
        Teach
      </button>
      {wiring !== undefined && (
        <>
          <button
            class="chip"
            aria-pressed={wiring.invert}
            title="Swap the two directions"
            onClick={() => change({ ...wiring, invert: !wiring.invert })}
          >
            Invert
          </button>
          <label title="Dead zone: how far it may wander around rest">
            <span class="mute">Dead zone </span>
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
  readonly words: string;
  readonly input: Input | undefined;
  readonly value: number;
  readonly waiting: string | null;
  readonly teach: () => void;
}

export function PushRow({ words, input, value, waiting, teach }: PushProps) {
  return (
    <div class="padrow">
      <span class="name">{words}</span>
      <span class="level">
        <i style={{ left: "0%", width: `${value * 100}%` }} />
      </span>
      {waiting === null ? (
        <span class="mute input">{input === undefined ? "not taught" : inputWords(input)}</span>
      ) : (
        <span class="warn input">{waiting}</span>
      )}
      <button class="chip" onClick={teach}>
        Teach
      </button>
    </div>
  );
}
