/** The ways to drive the robot, and how the chosen one feels. */

import { capital } from "../state/format.ts";
import { useConsole } from "./context.ts";

export function MappingChoice() {
  const { store, actions, keys, look } = useConsole();
  const mappings = store.info.value?.mappings ?? [];
  const chosen = store.mapping.value;
  if (mappings.length === 0) return null;
  return (
    <section class="mapping">
      <h2>
        Driven by {!look.touch.value && <span class="unit">{keys.label("mapping")} for the next</span>}
      </h2>
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
    </section>
  );
}
