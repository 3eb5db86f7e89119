/** The speed level, with a step down and a step up. */

import { useConsole } from "../context.ts";

export function SpeedBox() {
  const { store, actions, keys } = useConsole();
  const level = store.level.value;
  const speeds = store.info.value?.speeds ?? [];
  if (level === null || speeds.length === 0) return null;
  const share = Math.round((speeds[level - 1] ?? 1) * 100);
  const locked = !store.commanding.value;
  return (
    <span class="speed" title={`${share} % of full speed`}>
      <button
        class="step"
        aria-label="Slower"
        title={`Slower (${keys.label("slower")})`}
        disabled={locked || level <= 1}
        onClick={() => actions.speed(-1)}
      >
        −
      </button>
      <span>
        <span class="mute">Speed</span> {level} <span class="mute">of</span> {speeds.length}
      </span>
      <button
        class="step"
        aria-label="Faster"
        title={`Faster (${keys.label("faster")})`}
        disabled={locked || level >= speeds.length}
        onClick={() => actions.speed(1)}
      >
        +
      </button>
    </span>
  );
}
