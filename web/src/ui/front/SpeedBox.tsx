/** The speed level, with buttons for slower and faster. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";

export function SpeedBox() {
  const { store, actions, keys } = useConsole();
  const level = store.level.value;
  const speeds = store.info.value?.speeds ?? [];
  if (level === null || speeds.length === 0) return null;
  const share = Math.round((speeds[level - 1] ?? 1) * 100);
  const locked = !store.commanding.value;
  const labels = texts().header;
  return (
    <span class="speed" title={labels.speedTitle(share)}>
      <button
        class="step"
        aria-label={labels.slower}
        title={`${labels.slower} (${keys.label("slower")})`}
        disabled={locked || level <= 1}
        onClick={() => actions.speed(-1)}
      >
        −
      </button>
      <span>
        <span class="mute">{labels.speed}</span> {level} <span class="mute">{labels.of}</span> {speeds.length}
      </span>
      <button
        class="step"
        aria-label={labels.faster}
        title={`${labels.faster} (${keys.label("faster")})`}
        disabled={locked || level >= speeds.length}
        onClick={() => actions.speed(1)}
      >
        +
      </button>
    </span>
  );
}
