/** The choice of the control mode, with a sentence about the chosen one. */

import { capital } from "../../state/format.ts";
import { MODES, type Mode } from "../../hand/axesAndActions.ts";
import { texts } from "../../language/language.ts";
import { scaleText } from "../../state/motionScales.ts";
import { modeOf } from "../../state/selectors.ts";
import { useConsole } from "../context.ts";

export function ControlModeChoice() {
  const console = useConsole();
  const { store, actions, keys, page } = console;
  const all = store.info.value?.mappings ?? [];
  const chosen = store.mapping.value;
  if (all.length === 0) return null;
  const tracked = (store.info.value?.tracks ?? null) !== null;
  const mode = chosen === null ? null : modeOf(chosen);
  const mappings = tracked ? all.filter((mapping) => modeOf(mapping) === mode) : all;
  const { heading, next, devices } = texts().controlMode;
  return (
    <section class="mapping">
      <div class="row">
        <h2>
          {heading} {!page.touch.value && !tracked && <span class="unit">{next(keys.label("mapping"))}</span>}
        </h2>
        <span class="grow" />
        {/* The key panel, which has this button too, is hidden on touch and on narrow screens. */}
        <button class={page.touch.value ? "chip" : "chip devices"} onClick={() => console.open("pad")}>
          {devices}
        </button>
      </div>
      {tracked && <TrackedModes chosen={mode} />}
      {(!tracked || mappings.length > 1) && (
        <div class="segments ways" role="group" aria-label={heading}>
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

/** The parts of a robot on tracks that keys and sticks can drive, one key each. */
function TrackedModes({ chosen }: { chosen: Mode | null }) {
  const { store, actions, keys, page } = useConsole();
  return (
    <div class="segments" role="group" aria-label={texts().controlMode.partsLabel}>
      {MODES.map((mode) => (
        <button
          key={mode}
          aria-pressed={mode === chosen}
          disabled={!store.commanding.value}
          title={mode === chosen ? store.mapping.value?.feel : texts().keys.actions[mode]}
          onClick={() => actions.mode(mode)}
        >
          {!page.touch.value && <kbd>{keys.label(mode)}</kbd>} {texts().controlMode.parts[mode]}
        </button>
      ))}
    </div>
  );
}

/** The motion scale: large to travel, small for fine work. */
function Scales() {
  const { store, actions, keys, page } = useConsole();
  const scales = store.info.value?.scales ?? [];
  const chosen = store.shown.value?.scale ?? 1;
  const labels = texts().controlMode;
  return (
    <div class="scales">
      <span class="mute">{labels.scale} {!page.touch.value && <span class="unit">{keys.label("scale")}</span>}</span>
      <div class="segments" role="group" aria-label={labels.scaleLabel}>
        {scales.map((scale) => (
          <button
            key={scale}
            title={labels.scaleTitle(scaleText(scale))}
            aria-pressed={scale === chosen}
            disabled={!store.commanding.value}
            onClick={() => actions.scale(scale)}
          >
            {scaleText(scale)}
          </button>
        ))}
      </div>
      {!scales.includes(chosen) && <span class="number">{scaleText(chosen)}</span>}
    </div>
  );
}
