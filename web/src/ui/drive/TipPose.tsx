/** Where the tip is and how it is turned, in the robot's base frame. */

import { heading, millimetres } from "../../state/format.ts";
import { rollPitchYaw } from "../../state/rotation.ts";
import { useConsole } from "../context.ts";

export function TipPose() {
  const { store } = useConsole();
  const [x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0] = store.shown.value?.tip ?? [];
  // In an exam nobody is told.
  if (store.exam.value) return null;
  const [roll, pitch, yaw] = rollPitchYaw(qw, qx, qy, qz);
  const figures: readonly (readonly [string, string])[] = [
    ["x", millimetres(x, 1)],
    ["y", millimetres(y, 1)],
    ["z", millimetres(z, 1)],
    ["roll", heading(roll)],
    ["pitch", heading(pitch)],
    ["yaw", heading(yaw)],
  ];
  return (
    <section class="tip">
      <h2>
        Tip <span class="unit">mm, in the robot's base</span>
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
