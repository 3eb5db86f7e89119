/** The strip at the top: what runs, who drives, how well it is connected, and Stop. */

import { milliseconds } from "../state/format.ts";
import { CellChoice } from "./CellChoice.tsx";
import { useConsole } from "./context.ts";
import { LeaseBox } from "./LeaseBox.tsx";
import { ModePill } from "./ModePill.tsx";
import { SpeedBox } from "./SpeedBox.tsx";
import { StopButton } from "./StopButton.tsx";

/** So much off real time is no news. */
const WAVERING = 0.08;

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
  return (
    <span class="figure" title="The way to the cell and back">
      <span class="mute">Link</span> <span class="number">{milliseconds(store.roundTrip.value)}</span>
    </span>
  );
}

/** Shown only when time does not run as fast as it should. */
function RealTime() {
  const { store } = useConsole();
  const factor = store.factor.value;
  if (Math.abs(factor - 1) < WAVERING || store.phase.value !== "open") return null;
  return (
    <span class="figure" title="How fast the cell's time runs; 1 is real time">
      <span class="mute">Time</span> <span class={factor < 1 ? "warn" : ""}>×{factor.toFixed(2)}</span>
    </span>
  );
}
