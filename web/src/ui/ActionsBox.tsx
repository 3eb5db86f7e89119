/** What the robot can be told to do by itself. */

import { useConsole } from "./context.ts";
import { Squeeze } from "./TouchSticks.tsx";

export function ActionsBox() {
  const { store, actions, keys } = useConsole();
  const locked = !store.commanding.value;
  const still = locked || store.latched.value;
  const gripper = (store.info.value?.gripper ?? null) !== null;
  return (
    <section class="actions">
      <h2>Actions</h2>
      <div class="buttons">
        <button disabled={still} title={`Move home (${keys.label("home")})`} onClick={actions.home}>
          Home
        </button>
        <button disabled={still} title="End whatever it does, and hold" onClick={actions.hold}>
          Hold
        </button>
        <button
          class={store.waiting.value ? "strong" : ""}
          disabled={still || !store.waiting.value}
          title={store.waiting.value ? "Go on with the interrupted move" : "No move is interrupted"}
          onClick={actions.goOn}
        >
          Continue
        </button>
        {gripper && <Squeeze direction={-1} label="Close grip" />}
        {gripper && <Squeeze direction={1} label="Open grip" />}
        <button disabled={locked} title="Put the robot back to its home pose at once" onClick={actions.resetRobot}>
          Reset robot
        </button>
        <button disabled={locked} title="Put all loose objects back" onClick={actions.resetObjects}>
          Reset objects
        </button>
      </div>
    </section>
  );
}
