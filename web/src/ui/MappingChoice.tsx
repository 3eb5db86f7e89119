/** The ways to drive the robot, and how the chosen one feels. */

import { capital } from "../state/format.ts";
import { scaleWords } from "../state/scales.ts";
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
      {chosen?.scalable === true && <Scales />}
    </section>
  );
}

/** How far the robot goes for a way of the hand: coarse for the way there, fine for the work. */
function Scales() {
  const { store, actions, keys, look } = useConsole();
  const scales = store.info.value?.scales ?? [];
  const chosen = store.shown.value?.scale ?? 1;
  return (
    <div class="scales">
      <span class="mute">Scale {!look.touch.value && <span class="unit">{keys.label("scale")}</span>}</span>
      <div class="segments" role="group" aria-label="Scale of the hand's motion">
        {scales.map((scale) => (
          <button
            key={scale}
            title={`The robot goes ${scaleWords(scale)} of your hand's way`}
            aria-pressed={scale === chosen}
            disabled={!store.commanding.value}
            onClick={() => actions.scale(scale)}
          >
            {scaleWords(scale)}
          </button>
        ))}
      </div>
      {!scales.includes(chosen) && <span class="number">{scaleWords(chosen)}</span>}
    </div>
  );
}
