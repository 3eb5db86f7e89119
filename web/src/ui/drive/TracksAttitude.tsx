/** The attitude of a robot on tracks: pitch from the side, roll from behind, and its flippers. */

import type { ComponentChildren } from "preact";
import { texts } from "../../language/language.ts";
import { degrees, fixed } from "../../state/format.ts";
import type { TracksNow } from "../../state/model.ts";
import {
  bodyRear,
  bodySide,
  flipperRear,
  flipperSide,
  lags,
  overturned,
  reachOf,
  slopeTone,
  tracksText,
  within,
  written,
} from "../../state/tracksAttitude.ts";
import type { TracksInfo } from "../../wire.gen.ts";
import { useConsole } from "../context.ts";

/** Seen from the right, the left flippers are behind; seen from behind, the front ones are. */
const FROM_THE_RIGHT = { far: [0, 2], near: [1, 3] } as const;
const FROM_BEHIND = { far: [0, 1], near: [2, 3] } as const;

export function TracksAttitude() {
  const { store } = useConsole();
  const info = store.info.value?.tracks ?? null;
  const now = store.shown.value?.tracks ?? null;
  if (info === null || now === null) return null;
  const state = tracksText(now);
  const labels = texts().tracks;
  return (
    <section class="stance">
      <div class="row">
        <h2>{labels.heading}</h2>
        <span class="grow" />
        <ParkSwitch parked={now.parked} />
        <span class={`state tone ${state.tone}`} role="status">
          {state.text}
        </span>
      </div>
      <div class="pictures">
        <figure>
          <SideView info={info} now={now} />
          <Angle name={labels.pitch} value={now.pitch} tone={slopeTone(now.pitch, "pitch")} />
        </figure>
        <figure>
          <RearView info={info} now={now} />
          <Angle name={labels.roll} value={now.roll} tone={slopeTone(now.roll, "roll")} />
        </figure>
        <Flippers now={now} />
      </div>
    </section>
  );
}

/** Seen from its right side, so that its nose is on the right; on its back, from its left side. */
function SideView({ info, now }: Shown) {
  const reach = reachOf(info);
  const over = overturned(now);
  const { near, far } = over ? { near: FROM_THE_RIGHT.far, far: FROM_THE_RIGHT.near } : FROM_THE_RIGHT;
  return (
    <Level wide={reach * 0.98} high={reach * 0.76} label={`${texts().tracks.pitch} ${degrees(now.pitch)}`}>
      <g transform={`rotate(${turned(-now.pitch)}) scale(1 ${over ? -1 : 1}) translate(0 ${1.5 * info.hub})`}>
        {far.map((i) => (
          <polygon key={i} class="far" points={written(flipperSide(info, i, now.flippers[i] ?? 0))} />
        ))}
        <polygon class="body" points={written(bodySide(info))} />
        {near.map((i) => (
          <polygon key={i} class={lags(now, i) ? "near lags" : "near"} points={written(flipperSide(info, i, now.flippers[i] ?? 0))} />
        ))}
        {near.filter((i) => lags(now, i)).map((i) => (
          <polygon key={`asked ${i}`} class="asked" points={written(flipperSide(info, i, now.asked[i] ?? 0))} />
        ))}
      </g>
    </Level>
  );
}

/** Seen from behind: its right is on the right. */
function RearView({ info, now }: Shown) {
  const reach = reachOf(info);
  return (
    <Level wide={reach * 0.55} high={reach * 0.76} label={`${texts().tracks.roll} ${degrees(now.roll)}`}>
      <g transform={`rotate(${turned(now.roll)}) translate(0 ${1.5 * info.hub})`}>
        {FROM_BEHIND.far.map((i) => (
          <polygon key={i} class="far" points={written(flipperRear(info, i, now.flippers[i] ?? 0))} />
        ))}
        <polygon class="body" points={written(bodyRear(info))} />
        {FROM_BEHIND.near.map((i) => (
          <polygon key={i} class={lags(now, i) ? "near lags" : "near"} points={written(flipperRear(info, i, now.flippers[i] ?? 0))} />
        ))}
      </g>
    </Level>
  );
}

interface Shown {
  readonly info: TracksInfo;
  readonly now: TracksNow;
}

/** Sky and earth with a level horizon, against which the robot is seen to lean. */
function Level({ wide, high, label, children }: { wide: number; high: number; label: string; children: ComponentChildren }) {
  return (
    <svg viewBox={`${-wide} ${-high} ${2 * wide} ${2 * high}`} role="img" aria-label={label}>
      <rect class="earth" x={-4 * wide} y={0} width={8 * wide} height={4 * high} />
      {children}
      <line class="horizon" x1={-wide} y1={0} x2={-0.84 * wide} y2={0} />
      <line class="horizon" x1={0.84 * wide} y1={0} x2={wide} y2={0} />
    </svg>
  );
}

function Angle({ name, value, tone }: { name: string; value: number; tone: string }) {
  return (
    <figcaption>
      <span class="mute">{name}</span> <span class={`angle tone ${tone}`}>{whole(value)}</span>
    </figcaption>
  );
}

/** The flippers' angles, laid out as on the robot, and the speeds of the belts. */
function Flippers({ now }: { now: TracksNow }) {
  const [left = 0, right = 0] = now.belts;
  const labels = texts().tracks;
  return (
    <div class="corners">
      <span class="mute">{labels.flippers}</span>
      <div class="grid">
        {labels.corners.map((corner, i) => (
          <span key={corner} class={lags(now, i) ? "number warn" : "number"} title={labels.flipper(corner, whole(now.asked[i] ?? 0))}>
            {whole(now.flippers[i] ?? 0)}
          </span>
        ))}
      </div>
      <span class="mute" title={labels.beltsTitle}>
        {labels.belts}
      </span>
      <div class="grid">
        <span class="number">{fixed(left, 2)}</span>
        <span class="number">{fixed(right, 2)}</span>
      </div>
    </div>
  );
}

function ParkSwitch({ parked }: { parked: boolean }) {
  const { store, actions, keys, page } = useConsole();
  const key = keys.label("park");
  const { brake, setBrake, releaseBrake } = texts().tracks;
  return (
    <button
      class="chip"
      aria-pressed={parked}
      disabled={!store.commanding.value}
      title={parked ? releaseBrake(key) : setBrake(key)}
      onClick={() => actions.park()}
    >
      {brake} {!page.touch.value && <kbd>{key}</kbd>}
    </button>
  );
}

/** Radians as whole degrees. */
function whole(angle: number): string {
  return `${fixed((within(angle) * 180) / Math.PI, 0)}°`;
}

/** Radians as SVG turns things: degrees, clockwise. */
function turned(angle: number): string {
  return ((angle * 180) / Math.PI).toFixed(1);
}
