/** How a standard gamepad drives, and the way to the page that teaches any other one. */

import { useConsole } from "./context.ts";

const STANDARD: readonly (readonly [string, string])[] = [
  ["Hold to move (deadman)", "Right bumper"],
  ["Move in the plane", "Left stick"],
  ["Lift and turn", "Right stick"],
  ["Roll and pitch", "D-pad"],
  ["Close, open the gripper", "Right, left trigger"],
  ["Stop", "B"],
  ["Reset after a stop", "Start"],
  ["Next way to drive", "Y"],
  ["On tracks: drive, arm, flippers", "Left stick, right stick, left bumper pressed"],
  ["One flipper", "Left or right stick, along or across"],
  ["Slower, faster", "X, A"],
  ["Move home", "Back"],
];

export function PadSummary() {
  const console = useConsole();
  const plugged = console.padStore.plugged.value;
  return (
    <fieldset class="keylist">
      <legend>Gamepad</legend>
      {STANDARD.map(([words, control]) => (
        <div key={words} class="keyrow">
          <span>{words}</span>
          <span class="mute">{control}</span>
        </div>
      ))}
      <p class="mute">
        {plugged.length === 0
          ? "None is connected. Plug one in and press any of its buttons; then any console can be taught."
          : plugged.join(", ")}
      </p>
      <button onClick={() => console.open("pad")}>Set up devices: gamepad, console, SpaceMouse</button>
    </fieldset>
  );
}
