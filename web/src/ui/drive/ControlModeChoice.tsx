/** The ways to drive the robot, and how the chosen one feels. */

import { capital } from "../../state/format.ts";
import { ACTION_WORDS, MODES, type Mode } from "../../hand/axesAndActions.ts";
import { scaleWords } from "../../state/motionScales.ts";
import { modeOf } from "../../state/selectors.ts";
import { useConsole } from "../context.ts";

export function MappingChoice() {
  const console = useConsole();
  const { store, actions, keys, look } = console;
  const all = store.info.value?.mappings ?? [];
  const chosen = store.mapping.value;
  if (all.length === 0) return null;
  const tracked = (store.info.value?.tracks ?? null) !== null;
  const mode = chosen === null ? null : modeOf(chosen);
  const mappings = tracked ? all.filter((mapping) => modeOf(mapping) === mode) : all;
  return (
    <section class="mapping">
      <div class="row">
        <h2>
          {tracked ? "Mode" : "Driven by"}{" "}
          {!look.touch.value && !tracked && <span class="unit">{keys.label("mapping")} for the next</span>}
        </h2>
        <span class="grow" />
        {/* Fingers have no keys below; nor has a narrow screen. */}
        <button class={look.touch.value ? "chip" : "chip devices"} onClick={() => console.open("pad")}>
          Devices
        </button>
      </div>
      {tracked && <Modes chosen={mode} />}
      {(!tracked || mappings.length > 1) && (
        <div class="segments ways" role="group" aria-label="Way to drive">
          {mappings.map((mapping) => (
            <button
              key={mapping.name}
              title={mapping.feel}
              aria-pressed={mapping.name === chosen?.name}
              disabled={!store.commanding.value}
              onClick={() => void actions.choose(mapping.name)}
            >
              {capital(tracked ? mapping.name.replace(/^arm /, "") : mapping.name)}
            </button>
          ))}
        </div>
      )}
      {!tracked && <p class="mute feel">{chosen?.feel ?? ""}</p>}
      {chosen?.scalable === true && <Scales />}
    </section>
  );
}

/** What keys and sticks lead of a robot on tracks: one key each. */
function Modes({ chosen }: { chosen: Mode | null }) {
  const { store, actions, keys, look } = useConsole();
  return (
    <div class="segments" role="group" aria-label="Mode">
      {MODES.map((mode) => (
        <button
          key={mode}
          aria-pressed={mode === chosen}
          disabled={!store.commanding.value}
          title={mode === chosen ? store.mapping.value?.feel : ACTION_WORDS[mode]}
          onClick={() => actions.mode(mode)}
        >
          {!look.touch.value && <kbd>{keys.label(mode)}</kbd>} {capital(mode)}
        </button>
      ))}
    </div>
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
