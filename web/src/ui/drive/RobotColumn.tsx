/** The column on the right: one robot, its state and what can be asked of it. */

import { useConsole } from "../context.ts";
import { ActionsBox } from "./ActionsBox.tsx";
import { FaultFinding } from "../setup/FaultFinding.tsx";
import { Joints } from "./JointBars.tsx";
import { MappingChoice } from "./ControlModeChoice.tsx";
import { MasterBox } from "../master/MasterBox.tsx";
import { MovesBox } from "./PathsBox.tsx";
import { SetupBox } from "../setup/SetupBox.tsx";
import { Stance } from "./TracksAttitude.tsx";
import { TipPose } from "./TipPose.tsx";
import { WhyBox } from "./LimitsAndNotes.tsx";

export function Side() {
  const { store } = useConsole();
  return (
    <aside class={store.stalled.value === null ? "side" : "side old"} aria-label="Robot">
      <div class="sections">
        <RobotChoice />
        <Stance />
        {/* What keys lead, and what it shall do by itself, is wanted at once: both stay in sight, and where they are under
            the pointer, however much there is to say about the rest. */}
        <MappingChoice />
        <ActionsBox />
        <WhyBox />
        <Joints />
        <TipPose />
        <MasterBox />
        <div class="folds">
          <MovesBox />
          {!store.exam.value && <FaultFinding />}
          {!store.exam.value && <SetupBox />}
        </div>
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
      <h2>Robot</h2>
      <div class="segments" role="group" aria-label="Robot">
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
