/** The ways to drive the robot, and how the chosen one feels. */

import { capital } from "../state/format.ts";
import { useConsole } from "./context.ts";

export function MappingChoice() {
  const console = useConsole();
  const { store, actions, keys, look } = console;
  const mappings = store.info.value?.mappings ?? [];
  const chosen = store.mapping.value;
  if (mappings.length === 0) return null;
  return (
    <section class="mapping">
      <div class="row">
        <h2>
          Driven by {!look.touch.value && <span class="unit">{keys.label("mapping")} for the next</span>}
        </h2>
        <span class="grow" />
        {look.touch.value && (
          <button class="chip" onClick={() => console.open("pad")}>
            Devices
          </button>
        )}
      </div>
      <div class="segments" role="group" aria-label="Way to drive">
        {mappings.map((mapping) => (
          <button
            key={mapping.name}
            title={mapping.feel}
            aria-pressed={mapping.name === chosen?.name}
            disabled={!store.commanding.value}
            onClick={() => void actions.choose(mapping.name)}
          >
            {capital(mapping.name)}
          </button>
        ))}
      </div>
      <p class="mute feel">{chosen?.feel ?? ""}</p>
      {chosen?.scalable === true && <Sensitivity />}
    </section>
  );
}

/** How far the robot goes for a way of the hand: halves and doubles, evenly spaced. */
const STEPS = { lowest: -4, highest: 3 };

function Sensitivity() {
  const { store, actions } = useConsole();
  const scale = store.shown.value?.scale ?? 1;
  const words = scale >= 1 ? `${Number(scale.toFixed(2))}×` : `1/${Number((1 / scale).toFixed(1))}`;
  return (
    <label class="sensitivity">
      <span class="mute">Sensitivity</span>
      <input
        type="range"
        aria-valuetext={words}
        min={STEPS.lowest}
        max={STEPS.highest}
        step={0.5}
        value={Math.log2(scale)}
        disabled={!store.commanding.value}
        onInput={(event) => actions.scale(2 ** event.currentTarget.valueAsNumber)}
      />
      <span class="number">{words}</span>
    </label>
  );
}
