/** Three hints at the first visit, for whoever holds control; only what is true of this robot. */

import { pointing, pointingWords } from "../../state/pointerHints.ts";
import { ledWords } from "../../state/status.ts";
import { useConsole } from "../context.ts";

export function Hints() {
  const { look, store } = useConsole();
  if (!look.hints.value || store.info.value?.by_hand !== true || !store.commanding.value || store.latched.value) return null;
  const touch = look.touch.value;
  const off = ["off", "powering"].includes(store.mode.value ?? "");
  return (
    <aside class="hints" aria-label="First steps">
      <ol>
        {off && (
          <li>
            The robot is off: press <b>Power up</b>, among the actions, and wait a moment.
          </li>
        )}
        <li>{store.axes.value.length === 0 ? ledWords(store.mapping.value) : touch ? "Touch a stick to move. Let go and the robot stops." : <Motion />}</li>
        <li>
          {touch ? "The red button" : <kbd>Space</kbd>} stops the robot, at any time
          {touch ? "." : " and from anywhere."}
        </li>
        <More />
      </ol>
      <button class="strong" onClick={() => look.hideHints()}>
        Got it
      </button>
    </aside>
  );
}

/** What the pointer does, and where the rest is said. */
function More() {
  const { look, keys, store, panes } = useConsole();
  const dragged = pointingWords(pointing(store.info.value, store.master.value, panes.value));
  const ways = (store.info.value?.tracks ?? null) === null && (store.info.value?.mappings.length ?? 0) > 1;
  if (look.touch.value) return dragged === "" ? null : <li>{dragged}</li>;
  return (
    <li>
      {dragged} <kbd>?</kbd> shows all keys and the gamepad
      {ways && (
        <>
          , <kbd>{keys.label("mapping")}</kbd> another way to drive
        </>
      )}
      .
    </li>
  );
}

/** How the keys move the robot in the way that is chosen. */
function Motion() {
  const { keys, store } = useConsole();
  const key = (id: string) => <kbd>{keys.label(id)}</kbd>;
  if (store.axes.value.includes("joint:0")) {
    return (
      <>
        Hold {key("joint:0+")} or {key("joint:0-")} to turn the first joint, {key("joint:1+")} or {key("joint:1-")} the second,
        and so on. Let go and it stops.
      </>
    );
  }
  if (store.axes.value.includes("forward")) {
    return (
      <>
        Hold {key("forward+")} {key("turn+")} {key("forward-")} {key("turn-")} to drive and turn, {key("flippers+")}{" "}
        {key("flippers-")} to raise and lower the flippers. Let go and it brakes. {key("drive")} {key("flippers")} {key("arm")} lead
        the tracks, single flippers or the arm.
      </>
    );
  }
  if (store.axes.value.includes("raise")) {
    return (
      <>
        Hold {key("raise:front+")} or {key("raise:front-")} to raise or lower the front flippers, {key("raise:rear+")} or{" "}
        {key("raise:rear-")} the rear ones. Let go and they stop.
      </>
    );
  }
  const what = store.leadsMaster.value ? "the master, and the robot with it" : "the tip";
  return (
    <>
      Hold {key("x+")} {key("y+")} {key("x-")} {key("y-")} to move {what}, {key("z+")} {key("z-")} to lift and lower it.
      Let go and it stops.
    </>
  );
}
