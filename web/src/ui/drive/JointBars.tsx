/** Joint bars: the position of each joint between its limits, amber near one; hatched where an obstacle is in the way. */

import { texts } from "../../language/language.ts";
import { bar, gripBar, type Bar, type BarSpan } from "../../state/jointBars.ts";
import { capital, millimetres, position } from "../../state/format.ts";
import { freeRangeOf } from "../../state/clearance.ts";
import { useConsole } from "../context.ts";

export function JointBars() {
  const labels = texts().joints;
  const { store } = useConsole();
  const info = store.info.value;
  const now = store.shown.value;
  if (info === null) {
    return (
      <section class="joints">
        <h2>{labels.heading}</h2>
        <p class="mute">{labels.none}</p>
      </section>
    );
  }
  return (
    <section class="joints">
      <h2>{labels.heading}</h2>
      {info.joints.map((joint, index) => {
        const value = now?.joints[index] ?? joint.home;
        const range = store.stalled.value === null ? freeRangeOf(now?.near ?? null, index) : null;
        return (
          <Row
            key={joint.name}
            label={joint.label}
            bar={bar(joint, value, range)}
            text={position(value, joint.kind)}
            free={range === null ? undefined : labels.range(position(range[0], joint.kind), position(range[1], joint.kind))}
          />
        );
      })}
      {info.gripper !== null && (
        <Row
          label={labels.gripper}
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
  /** The range in which it is free now, as text; where nothing is in the way it is not shown. */
  free?: string | undefined;
}

export function Row({ label, bar: { at, range, shut, near }, text, free }: RowProps) {
  const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
  const span = ([from, to]: BarSpan) => ({ left: percent(from), width: percent(to - from) });
  const blocked = free !== undefined && shut.length > 0;
  const { nearLimit, obstacle } = texts().joints;
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
        aria-valuetext={`${text}${near ? nearLimit : ""}${blocked ? `, ${free}` : ""}`}
        title={blocked ? obstacle(free) : undefined}
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
