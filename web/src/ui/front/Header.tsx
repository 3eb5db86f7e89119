/** The strip at the top: what runs, who drives, how well it is connected, and Stop. */

import { milliseconds } from "../../state/format.ts";
import { CellChoice } from "./CellChoice.tsx";
import { useConsole } from "../context.ts";
import { LeaseBox } from "./ControlBox.tsx";
import { ModePill } from "./ModePill.tsx";
import { SpeedBox } from "./SpeedBox.tsx";
import { StopButton } from "../controls/StopButton.tsx";

/** So much off real time is no news. */
const WAVERING = 0.08;
/** Milliseconds of delay from which it is shown, and from which the cell slows the robot for it. */
const SHOWN_DELAY = 50;
const DISTANT = 100;

export function Header() {
  return (
    <header class="strip">
      <div class="rest">
        <h1>Farhand</h1>
        <CellChoice />
        <ModePill />
        <SpeedBox />
        <span class="grow" />
        <LeaseBox />
        <LinkFigure />
        <RealTime />
      </div>
      <StopButton />
    </header>
  );
}

function LinkFigure() {
  const { store } = useConsole();
  const delay = store.delay.value;
  return (
    <span class="figure" title="Time to the cell and back. Delay: how old your input usually is when it arrives; above 100 ms the robot is slowed.">
      <span class="mute">Link</span> <span class="number">{milliseconds(store.roundTrip.value)}</span>
      {delay >= SHOWN_DELAY && (
        <>
          {" "}
          <span class="mute">Delay</span> <span class={delay > DISTANT ? "number warn" : "number"}>{milliseconds(delay)}</span>
        </>
      )}
    </span>
  );
}

/** Shown only when time does not run as fast as it should. */
function RealTime() {
  const { store } = useConsole();
  const factor = store.factor.value;
  if (Math.abs(factor - 1) < WAVERING || store.phase.value !== "open" || store.stalled.value !== null) return null;
  return (
    <span class="figure" title="Speed of the cell's clock; 1 is real time">
      <span class="mute">Time</span> <span class={factor < 1 ? "warn" : ""}>×{factor.toFixed(2)}</span>
    </span>
  );
}
