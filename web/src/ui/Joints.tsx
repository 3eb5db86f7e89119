/** Joint bars: where each joint stands between its limits; amber near one. */

import { bar, gripBar, type Bar } from "../state/bars.ts";
import { capital, millimetres, position } from "../state/format.ts";
import { useConsole } from "./context.ts";

export function Joints() {
  const { store } = useConsole();
  const info = store.info.value;
  const now = store.shown.value;
  if (info === null) {
    return (
      <section class="joints">
        <h2>Joints</h2>
        <p class="mute">No robot yet.</p>
      </section>
    );
  }
  return (
    <section class="joints">
      <h2>Joints</h2>
      {info.joints.map((joint, index) => {
        const value = now?.joints[index] ?? joint.home;
        return <Row key={joint.name} label={joint.label} bar={bar(joint, value)} text={position(value, joint.kind)} />;
      })}
      {info.gripper !== null && (
        <Row
          label="Gripper"
          bar={gripBar(Math.max(0, now?.grip ?? 0), info.gripper.opening)}
          text={`${millimetres(Math.max(0, now?.grip ?? 0))} mm`}
        />
      )}
    </section>
  );
}

export function Row({ label, bar: { at, range, near }, text }: { label: string; bar: Bar; text: string }) {
  const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
  return (
    <div class={near ? "joint near" : "joint"}>
      <span class="label" title={label}>
        {capital(label)}
      </span>
      <div
        class="bar"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(at * 100)}
        aria-valuetext={near ? `${text}, near its limit` : text}
      >
        {range !== null && <u style={{ left: percent(range[0]), width: percent(range[1] - range[0]) }} />}
        <i style={{ left: percent(at) }} />
      </div>
      <span class="value">{text}</span>
    </div>
  );
}
