/** A choice of a device's layout: the detected one, a preset, or the one that was taught. */

import { layoutText, presetOf, PRESETS, presetText } from "../../hand/padLayouts.ts";
import type { PadState } from "../../hand/padProfile.ts";
import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";

const KNOWN = "known";
const TAUGHT = "taught";

export function LayoutChoice({ pad }: { pad: PadState }) {
  const { padStore } = useConsole();
  const saved = padStore.saved(pad.id);
  const preset = saved === null ? null : presetOf(saved);
  const chosen = saved === null ? KNOWN : (preset?.id ?? TAUGHT);
  const choose = (option: string): void => {
    const next = PRESETS.find((each) => each.id === option);
    if (next !== undefined) padStore.save(pad.id, next.profile);
    else if (option === KNOWN) padStore.remove(pad.id);
  };
  const { layout, taught } = texts().devices;
  return (
    <label>
      <span class="mute">{layout} </span>
      <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        <option value={KNOWN}>{layoutText(pad.layout).name}</option>
        {PRESETS.map((each) => (
          <option key={each.id} value={each.id}>
            {presetText(each).name}
          </option>
        ))}
        {chosen === TAUGHT && <option value={TAUGHT}>{taught}</option>}
      </select>
    </label>
  );
}

/** A warning if the device lacks inputs of the chosen preset. */
export function MissingInputs({ pad }: { pad: PadState }) {
  const saved = useConsole().padStore.saved(pad.id);
  const preset = saved === null ? null : presetOf(saved);
  if (preset === null) return null;
  const { tooFewInputs, axesOf, buttonsOf } = texts().devices;
  const missing = [
    ...(pad.axes.length < preset.axes ? [axesOf(pad.axes.length, preset.axes)] : []),
    ...(pad.buttons.length < preset.buttons ? [buttonsOf(pad.buttons.length, preset.buttons)] : []),
  ];
  return missing.length === 0 ? null : <p class="warn">{tooFewInputs(missing.join(", "))}</p>;
}
