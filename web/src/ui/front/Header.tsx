/** The strip at the top: cell, mode, speed, control, connection, and Stop. */

import { texts } from "../../language/language.ts";
import { fixed, milliseconds } from "../../state/format.ts";
import { CellChoice } from "./CellChoice.tsx";
import { useConsole } from "../context.ts";
import { ControlBox } from "./ControlBox.tsx";
import { ModePill } from "./ModePill.tsx";
import { SpeedBox } from "./SpeedBox.tsx";
import { StopButton } from "../controls/StopButton.tsx";

/** The time factor is shown when it is off by more than this. */
const TIME_FACTOR_TOLERANCE = 0.08;
/** Delay from which it is shown, and from which the cell slows the robot, ms. */
const SHOWN_DELAY_MS = 50;
const SLOWED_DELAY_MS = 100;

export function Header() {
  const { store } = useConsole();
  const live = store.replay.value === null;
  return (
    <header class="strip">
      <div class="rest">
        <h1>Farhand</h1>
        <CellChoice />
        <ModePill />
        {live && <SpeedBox />}
        <span class="grow" />
        {live && <ControlBox />}
        <LinkFigure />
        <RecordingDot />
        <RealTime />
      </div>
      {live && <StopButton />}
    </header>
  );
}

function LinkFigure() {
  const { store } = useConsole();
  const delay = store.delay.value;
  const labels = texts().header;
  return (
    <span class="figure" title={labels.linkTitle}>
      <span class="mute">{labels.link}</span> <span class="number">{milliseconds(store.roundTrip.value)}</span>
      {delay >= SHOWN_DELAY_MS && (
        <>
          {" "}
          <span class="mute">{labels.delay}</span> <span class={delay > SLOWED_DELAY_MS ? "number warn" : "number"}>{milliseconds(delay)}</span>
        </>
      )}
    </span>
  );
}

/** A dot while the run is recorded; a sentence while it should be and is not. */
function RecordingDot() {
  const { store } = useConsole();
  const recording = store.runRecording.value;
  const labels = texts().header;
  if (recording === null || recording.state === "off" || store.phase.value !== "open") return null;
  if (recording.state === "alarm" && recording.reason !== "") {
    return (
      <span class="figure alarm" role="alert" title={recording.alarm}>
        {labels.interruptions[recording.reason]}
      </span>
    );
  }
  return <span class="dot stop" role="img" aria-label={labels.recording} title={`${labels.recording}. ${labels.recordingTitle(recording.run)}`} />;
}

/** The time factor, shown only while the cell does not run in real time. */
function RealTime() {
  const { store } = useConsole();
  const factor = store.factor.value;
  if (Math.abs(factor - 1) < TIME_FACTOR_TOLERANCE || store.phase.value !== "open" || store.stalled.value !== null) return null;
  return (
    <span class="figure" title={texts().header.timeTitle}>
      <span class="mute">{texts().header.time}</span> <span class={factor < 1 ? "warn" : ""}>×{fixed(factor, 2)}</span>
    </span>
  );
}
