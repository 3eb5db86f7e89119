/** How a robot on tracks stands, at a glance: from the side and from behind against the level, its flippers as they are. */

import type { ComponentChildren } from "preact";
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
  stanceWords,
  within,
  written,
} from "../../state/tracksAttitude.ts";
import type { TracksInfo } from "../../wire.gen.ts";
import { useConsole } from "../context.ts";

const CORNERS = ["Front left", "Front right", "Rear left", "Rear right"] as const;
/** Seen from the right, the left flippers are behind; seen from behind, the front ones are. */
const FROM_THE_RIGHT = { far: [0, 2], near: [1, 3] } as const;
const FROM_BEHIND = { far: [0, 1], near: [2, 3] } as const;

export function Stance() {
  const { store } = useConsole();
  const info = store.info.value?.tracks ?? null;
  const now = store.shown.value?.tracks ?? null;
  if (info === null || now === null) return null;
  const words = stanceWords(now);
  return (
    <section class="stance">
      <div class="row">
        <h2>Attitude</h2>
        <span class="grow" />
        <ParkSwitch parked={now.parked} />
        <span class={`state tone ${words.tone}`} role="status">
          {words.text}
        </span>
      </div>
      <div class="pictures">
        <figure>
          <Side info={info} now={now} />
          <Angle what="Pitch" value={now.pitch} tone={slopeTone(now.pitch, "pitch")} />
        </figure>
        <figure>
          <Rear info={info} now={now} />
          <Angle what="Roll" value={now.roll} tone={slopeTone(now.roll, "roll")} />
        </figure>
        <Flippers now={now} />
      </div>
    </section>
  );
}

/** Seen from the right of where it is headed: its nose is on the right. On its back it has its left side there. */
function Side({ info, now }: Shown) {
  const reach = reachOf(info);
  const over = overturned(now);
  const { near, far } = over ? { near: FROM_THE_RIGHT.far, far: FROM_THE_RIGHT.near } : FROM_THE_RIGHT;
  return (
    <Level wide={reach * 0.98} high={reach * 0.76} label={`Pitch ${degrees(now.pitch)}`}>
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

/** Seen from behind: its right is right. */
function Rear({ info, now }: Shown) {
  const reach = reachOf(info);
  return (
    <Level wide={reach * 0.55} high={reach * 0.76} label={`Roll ${degrees(now.roll)}`}>
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

/** A picture of sky above and earth below, to its edges whatever its form, against which the robot is seen to lean. */
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

function Angle({ what, value, tone }: { what: string; value: number; tone: string }) {
  return (
    <figcaption>
      <span class="mute">{what}</span> <span class={`angle tone ${tone}`}>{whole(value)}</span>
    </figcaption>
  );
}

/** Their angles, laid out as they lie on the robot, and how fast the belts between them run. */
function Flippers({ now }: { now: TracksNow }) {
  const [left = 0, right = 0] = now.belts;
  return (
    <div class="corners">
      <span class="mute">Flippers</span>
      <div class="grid">
        {CORNERS.map((corner, i) => (
          <span key={corner} class={lags(now, i) ? "number warn" : "number"} title={`${corner} flipper, told ${whole(now.asked[i] ?? 0)}`}>
            {whole(now.flippers[i] ?? 0)}
          </span>
        ))}
      </div>
      <span class="mute" title="Speed of the left and the right belt">
        Belts m/s
      </span>
      <div class="grid">
        <span class="number">{fixed(left, 2)}</span>
        <span class="number">{fixed(right, 2)}</span>
      </div>
    </div>
  );
}

function ParkSwitch({ parked }: { parked: boolean }) {
  const { store, actions, keys, look } = useConsole();
  const key = keys.label("park");
  return (
    <button
      class="chip"
      aria-pressed={parked}
      disabled={!store.commanding.value}
      title={`${parked ? "Release the parking brake" : "Set the parking brake: the belts stand until it is released"} (${key})`}
      onClick={() => actions.park()}
    >
      Brake {!look.touch.value && <kbd>{key}</kbd>}
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
