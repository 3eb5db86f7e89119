/** Which layout a device has: what is known of it, one that comes along, or what it was taught. */

import { LAYOUT_WORDS, presetOf, PRESETS } from "../../hand/padLayouts.ts";
import type { PadState } from "../../hand/padProfile.ts";
import { useConsole } from "../context.ts";

const KNOWN = "known";
const TAUGHT = "taught";

export function LayoutChoice({ pad }: { pad: PadState }) {
  const { padStore } = useConsole();
  const saved = padStore.saved(pad.id);
  const preset = saved === null ? null : presetOf(saved);
  const chosen = saved === null ? KNOWN : (preset?.name ?? TAUGHT);
  const choose = (name: string): void => {
    const next = PRESETS.find((each) => each.name === name);
    if (next !== undefined) padStore.save(pad.id, next.profile);
    else if (name === KNOWN) padStore.remove(pad.id);
  };
  const lacks = preset !== null && (pad.axes.length < preset.axes || pad.buttons.length < preset.buttons);
  return (
    <>
      {lacks && (
        <span class="warn">
          It has fewer inputs than this layout: {pad.axes.length} of {preset.axes} axes, {pad.buttons.length} of{" "}
          {preset.buttons} buttons.
        </span>
      )}
      <label>
        <span class="mute">Layout </span>
        <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
          <option value={KNOWN}>{LAYOUT_WORDS[pad.layout].name}</option>
          {PRESETS.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
          {chosen === TAUGHT && <option value={TAUGHT}>Taught by you</option>}
        </select>
      </label>
    </>
  );
}
