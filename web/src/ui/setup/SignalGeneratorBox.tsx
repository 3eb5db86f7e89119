/** A signal generator in place of the hand: its axis, wave, amplitude and frequency. */

import { useSignal, type Signal } from "@preact/signals";
import type { Generator } from "../../wire.gen.ts";
import { axisText } from "../../hand/axesAndActions.ts";
import { texts } from "../../language/language.ts";
import { capital } from "../../state/format.ts";
import { useConsole } from "../context.ts";

type Wave = NonNullable<Generator["wave"]>;

const WAVES: readonly Wave[] = ["sine", "square", "triangle", "constant"];

export function SignalGeneratorBox() {
  const { store, actions } = useConsole();
  const axis = useSignal(0);
  const wave = useSignal<Wave>("sine");
  const amplitude = useSignal(0.3);
  const frequency = useSignal(0.5);
  const axes = store.mapping.value?.axes ?? [];
  const labels = store.info.value?.joints.map((joint) => joint.label) ?? [];
  const locked = !store.setting.value;
  const running = store.generating.value;
  const of = texts().faults;
  const start = (): void =>
    actions.generate({
      axis: Math.min(axis.value, Math.max(0, axes.length - 1)),
      wave: wave.value,
      amplitude: amplitude.value,
      frequency: frequency.value,
    });
  return (
    <fieldset class="generator">
      <legend>{of.generator}</legend>
      <label>
        <span>{of.axis}</span>
        <select
          disabled={axes.length === 0}
          value={String(Math.min(axis.value, axes.length - 1))}
          onChange={(event) => {
            axis.value = Number(event.currentTarget.value);
          }}
        >
          {axes.length === 0 && <option value="-1">{texts().general.none}</option>}
          {axes.map((name, index) => (
            <option key={name} value={String(index)}>
              {capital(axisText(name, labels).name)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{of.wave}</span>
        <select
          value={wave.value}
          onChange={(event) => {
            wave.value = WAVES.find((each) => each === event.currentTarget.value) ?? "sine";
          }}
        >
          {WAVES.map((each) => (
            <option key={each} value={each}>
              {of.waves[each]}
            </option>
          ))}
        </select>
      </label>
      <NumberField label={of.amplitude} min={0} max={1} step={0.05} value={amplitude} />
      <NumberField label={of.frequency} min={0.05} max={20} step={0.05} value={frequency} />
      <div class="row">
        {running ? (
          <button class="strong" disabled={locked} onClick={() => actions.generate(null)}>
            {of.end}
          </button>
        ) : (
          <button disabled={locked || axes.length === 0} onClick={start}>
            {of.start}
          </button>
        )}
        <span class={running ? "warn" : "mute"}>
          {running ? of.running : axes.length === 0 ? of.noAxes : of.ready}
        </span>
      </div>
    </fieldset>
  );
}

interface NumberProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: Signal<number>;
}

function NumberField({ label, min, max, step, value }: NumberProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="number"
        min={min}
        max={max}
        step={step}
        value={value.value}
        onChange={(event) => {
          const given = event.currentTarget.valueAsNumber;
          if (Number.isFinite(given)) value.value = Math.max(min, Math.min(max, given));
        }}
      />
    </label>
  );
}
