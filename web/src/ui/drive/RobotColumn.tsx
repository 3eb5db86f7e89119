/** The column on the right: one robot, its state and its controls. */

import { texts } from "../../language/language.ts";
import { useConsole } from "../context.ts";
import { ActionsBox } from "./ActionsBox.tsx";
import { FaultFinding } from "../setup/FaultFinding.tsx";
import { JointBars } from "./JointBars.tsx";
import { ControlModeChoice } from "./ControlModeChoice.tsx";
import { MasterBox } from "../master/MasterBox.tsx";
import { PathsBox } from "./PathsBox.tsx";
import { SetupBox } from "../setup/SetupBox.tsx";
import { TracksAttitude } from "./TracksAttitude.tsx";
import { TipPose } from "./TipPose.tsx";
import { LimitsAndNotes } from "./LimitsAndNotes.tsx";

export function RobotColumn() {
  const { store } = useConsole();
  const live = store.replay.value === null;
  return (
    <aside class={store.stalled.value === null ? "side" : "side old"} aria-label={texts().robot.column}>
      <div class="sections">
        <RobotChoice />
        <TracksAttitude />
        {/* Control mode and actions are needed at once: they stay in view, and in one place under the pointer, however
            many notes there are. */}
        {live && <ControlModeChoice />}
        {live && <ActionsBox />}
        <LimitsAndNotes />
        <JointBars />
        <TipPose />
        <MasterBox />
        {live && (
          <div class="folds">
            <PathsBox />
            {!store.exam.value && <FaultFinding />}
            {!store.exam.value && <SetupBox />}
          </div>
        )}
      </div>
    </aside>
  );
}

/** Shown only where there are several robots. */
function RobotChoice() {
  const console = useConsole();
  const robots = console.store.scene.value?.robots ?? [];
  if (robots.length < 2) return null;
  return (
    <section>
      <h2>{texts().robot.choice}</h2>
      <div class="segments" role="group" aria-label={texts().robot.choice}>
        {robots.map((robot) => (
          <button
            key={robot.name}
            title={robot.model}
            aria-pressed={robot.name === console.store.robot.value}
            onClick={() => console.pick(robot.name)}
          >
            {robot.name}
          </button>
        ))}
      </div>
    </section>
  );
}
