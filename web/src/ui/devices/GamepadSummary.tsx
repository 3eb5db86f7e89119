/** The controls of a standard gamepad, and a button that opens the devices dialog. */

import type { Texts } from "../../language/english.ts";
import { texts } from "../../language/language.ts";
import type { RobotInfo } from "../../wire.gen.ts";
import { useConsole } from "../context.ts";

type Row = keyof Texts["devices"]["gamepadRows"];

/** Return the rows that this robot has a use for. */
function rowsOf(info: RobotInfo | null): readonly Row[] {
  const tracked = (info?.tracks ?? null) !== null;
  const gripper: readonly Row[] = (info?.gripper ?? null) === null ? [] : ["grip"];
  const modes: readonly Row[] = (info?.mappings.length ?? 0) > 1 ? ["mode"] : [];
  const tracks: readonly Row[] = tracked ? ["tracks", "flipper"] : [];
  return ["enable", "move", "lift", "roll", ...gripper, "stop", "reset", ...modes, ...tracks, "speed", "home"];
}

export function GamepadSummary() {
  const { gamepad, gamepadNone, gamepadRows, setUp } = texts().devices;
  const console = useConsole();
  const plugged = console.padStore.plugged.value;
  return (
    <fieldset class="keylist">
      <legend>{gamepad}</legend>
      {rowsOf(console.store.info.value).map((row) => (
        <div key={row} class="keyrow">
          <span>{gamepadRows[row][0]}</span>
          <span class="mute">{gamepadRows[row][1]}</span>
        </div>
      ))}
      <p class="mute">{plugged.length === 0 ? gamepadNone : plugged.join(", ")}</p>
      <button onClick={() => console.open("pad")}>{setUp}</button>
    </fieldset>
  );
}
