/** How a standard gamepad drives, and the way to the page that teaches any other one. */

import type { RobotInfo } from "../../wire.gen.ts";
import { useConsole } from "../context.ts";

type Row = readonly [string, string];

const TIP: readonly Row[] = [
  ["Move in the plane", "Left stick"],
  ["Lift and turn", "Right stick"],
  ["Roll and pitch", "D-pad"],
];
const TRACKS: readonly Row[] = [
  ["Drive, arm, flippers", "Press left stick, right stick, left bumper"],
  ["One flipper", "Left or right stick, along or across"],
];
const ALWAYS: readonly Row[] = [
  ["Stop", "B"],
  ["Reset after a stop", "Start"],
];

/** Return what the controls of a standard gamepad do, as far as this robot can do it. */
function rows(info: RobotInfo | null): readonly Row[] {
  const tracked = (info?.tracks ?? null) !== null;
  return [
    ["Hold to move (deadman)", "Right bumper"],
    ...TIP,
    ...((info?.gripper ?? null) === null ? [] : [["Close, open the gripper", "Right, left trigger"] as const]),
    ...ALWAYS,
    ...((info?.mappings.length ?? 0) > 1 ? [["Next way to drive", "Y"] as const] : []),
    ...(tracked ? TRACKS : []),
    ["Slower, faster", "X, A"],
    ["Move home", "Back"],
  ];
}

export function PadSummary() {
  const console = useConsole();
  const plugged = console.padStore.plugged.value;
  return (
    <fieldset class="keylist">
      <legend>Gamepad</legend>
      {rows(console.store.info.value).map(([words, control]) => (
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
      <button onClick={() => console.open("pad")}>Set up devices</button>
    </fieldset>
  );
}
