/** The pose of the tip in the robot's base frame. */

import { texts } from "../../language/language.ts";
import { heading, millimetres } from "../../state/format.ts";
import { rollPitchYaw } from "../../state/rotation.ts";
import { useConsole } from "../context.ts";

export function TipPose() {
  const { store } = useConsole();
  const [x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0] = store.shown.value?.tip ?? [];
  // Not shown in an exam.
  if (store.exam.value) return null;
  const [roll, pitch, yaw] = rollPitchYaw(qw, qx, qy, qz);
  const labels = texts().tip;
  const figures: readonly (readonly [string, string])[] = [
    ["x", millimetres(x, 1)],
    ["y", millimetres(y, 1)],
    ["z", millimetres(z, 1)],
    [labels.roll, heading(roll)],
    [labels.pitch, heading(pitch)],
    [labels.yaw, heading(yaw)],
  ];
  return (
    <section class="tip">
      <h2>
        {labels.heading} <span class="unit">{labels.unit}</span>
      </h2>
      <dl>
        {figures.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
