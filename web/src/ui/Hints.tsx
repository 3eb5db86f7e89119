/** Three hints at the first visit. */

import { useConsole } from "./context.ts";

export function Hints() {
  const { look, keys, store } = useConsole();
  if (!look.hints.value || store.phase.value !== "open" || store.latched.value) return null;
  const key = (id: string) => <kbd>{keys.label(id)}</kbd>;
  const motion = (
    <>
      Hold {key("x+")} {key("y+")} {key("x-")} {key("y-")} to move the tip, {key("z+")} {key("z-")} to lift and lower it.
      Let go and it stops.
    </>
  );
  return (
    <aside class="hints" aria-label="First steps">
      <ol>
        <li>{look.touch.value ? "Touch a stick to move the tip. Let go and it stops." : motion}</li>
        <li>
          <kbd>Space</kbd> or the red button stops the robot, at any time and from anywhere.
        </li>
        <li>
          Drag in the picture to look around. <kbd>?</kbd> shows all keys and the gamepad.
        </li>
      </ol>
      <button class="strong" onClick={() => look.hideHints()}>
        Got it
      </button>
    </aside>
  );
}
