/** Joint bars: where each joint stands between its limits, amber near one; hatched where something is in the way. */

import { bar, gripBar, type Bar, type Part } from "../../state/jointBars.ts";
import { capital, millimetres, position } from "../../state/format.ts";
import { reachOf } from "../../state/clearance.ts";
import { useConsole } from "../context.ts";

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
        const reach = store.stalled.value === null ? reachOf(now?.near ?? null, index) : null;
        return (
          <Row
            key={joint.name}
            label={joint.label}
            bar={bar(joint, value, reach)}
            text={position(value, joint.kind)}
            free={reach?.map((end) => position(end, joint.kind)).join(" to ")}
          />
        );
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

interface RowProps {
  label: string;
  bar: Bar;
  text: string;
  /** Between where and where it is free to go now, if something is in the way. */
  free?: string | undefined;
}

export function Row({ label, bar: { at, range, shut, near }, text, free }: RowProps) {
  const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
  const span = ([from, to]: Part) => ({ left: percent(from), width: percent(to - from) });
  const bounded = free !== undefined && shut.length > 0 ? `, free from ${free} now` : "";
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
        aria-valuetext={`${text}${near ? ", near its limit" : ""}${bounded}`}
        title={bounded === "" ? undefined : `Something is in the way${bounded}`}
      >
        {range !== null && <u style={span(range)} />}
        {shut.map((part, index) => (
          <s key={index} style={span(part)} />
        ))}
        <i style={{ left: percent(at) }} />
      </div>
      <span class="value">{text}</span>
    </div>
  );
}
