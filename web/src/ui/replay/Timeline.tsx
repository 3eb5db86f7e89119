/** The timeline of a replay: play, speed, step, scrub, marks, loop, and a time to enter. */

import { useRef, useState } from "preact/hooks";
import type { MarkInfo, ReplayInfo } from "../../wire.gen.ts";
import { texts } from "../../language/language.ts";
import { exactClock, momentAt, parseClock, shareOf, SPEEDS } from "../../state/replay.ts";
import { useConsole } from "../context.ts";

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

export function Timeline() {
  const { store } = useConsole();
  const info = store.replay.value;
  if (info === null) return null;
  return (
    <section class="timeline" aria-label={texts().replay.timeline}>
      <Problems info={info} />
      <Track info={info} />
      <div class="transport">
        <Buttons />
        <TimeEntry info={info} />
        <span class="grow" />
        <Legend info={info} />
      </div>
    </section>
  );
}

/** Damage of the file, as sentences. */
function Problems({ info }: { info: ReplayInfo }) {
  const [first, ...more] = info.problems;
  if (first === undefined) return null;
  const { damaged, further } = texts().replay;
  return (
    <p class="problems warn" role="alert" title={info.problems.join("\n")}>
      {damaged} {first}
      {more.length > 0 && ` ${further(more.length)}`}
    </p>
  );
}

function Track({ info }: { info: ReplayInfo }) {
  const { playback, store } = useConsole();
  const place = useRef<HTMLDivElement>(null);
  const [span, setSpan] = useState<readonly [number, number] | null>(null);
  const moment = playback.moment.value;
  const loop = span ?? store.playback.value?.loop ?? null;
  const start = playback.loopStart.value;
  const under = (event: PointerEvent): number => {
    const box = place.current?.getBoundingClientRect();
    return box === undefined ? info.first : momentAt(info, (event.clientX - box.left) / box.width);
  };
  const press = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    place.current?.setPointerCapture(event.pointerId);
    const at = under(event);
    if (event.shiftKey) setSpan([at, at]);
    else playback.seek(at);
  };
  const drag = (event: PointerEvent): void => {
    if (place.current?.hasPointerCapture(event.pointerId) !== true) return;
    if (span !== null) setSpan([span[0], under(event)]);
    else playback.seek(under(event), true);
  };
  const release = (event: PointerEvent): void => {
    if (place.current?.hasPointerCapture(event.pointerId) !== true) return;
    if (span !== null) playback.loop(Math.min(...span), Math.max(...span));
    else playback.seek(under(event));
    setSpan(null);
  };
  return (
    <div
      class="track"
      ref={place}
      role="slider"
      tabIndex={0}
      aria-label={texts().replay.moment}
      aria-valuemin={info.first}
      aria-valuemax={info.last}
      aria-valuenow={moment}
      aria-valuetext={exactClock(moment)}
      onPointerDown={press}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={() => setSpan(null)}
    >
      <div class="groove" />
      {loop !== null && <div class="loop" style={between(info, Math.min(...loop), Math.max(...loop))} />}
      {start !== null && <div class="loop open" style={between(info, start, Math.max(start, moment))} />}
      <div class="past" style={{ width: percent(shareOf(info, moment)) }} />
      {info.marks.map((mark, index) => (
        <Mark key={index} info={info} mark={mark} />
      ))}
      <div class="head" style={{ left: percent(shareOf(info, moment)) }} />
    </div>
  );
}

function between(info: ReplayInfo, first: number, last: number) {
  const left = shareOf(info, first);
  return { left: percent(left), width: percent(shareOf(info, last) - left) };
}

/** A mark: a bar for an episode or a gap, a needle for a moment. A click on it goes to its beginning. */
function Mark({ info, mark }: { info: ReplayInfo; mark: MarkInfo }) {
  const { playback } = useConsole();
  const labels = texts().replay;
  const wide = mark.kind === "episode" || mark.kind === "gap";
  const place = wide ? between(info, mark.first, mark.last) : { left: percent(shareOf(info, mark.first)) };
  const colour = mark.colour === "" ? {} : { color: mark.colour };
  const text = mark.text[labels.language] ?? mark.text.en ?? "";
  const name = mark.kind === "episode" ? labels.episode(labels.results[mark.result] ?? "") : labels.kinds[mark.kind];
  const title = `${exactClock(mark.first)} · ${name}${text === "" ? "" : `: ${text}`}`;
  return (
    <div
      class={`mark ${mark.kind} ${mark.result}`}
      style={{ ...place, ...colour }}
      title={title}
      onPointerDown={(event) => {
        if (event.button !== 0 || event.shiftKey) return;
        event.stopPropagation();
        playback.seek(mark.first);
      }}
    />
  );
}

function Buttons() {
  const { playback, store } = useConsole();
  const labels = texts().replay;
  const now = store.playback.value;
  const playing = now?.playing === true;
  const speed = now?.speed ?? 1;
  const looping = (now?.loop ?? null) !== null;
  const choosing = playback.loopStart.value !== null;
  return (
    <>
      <button class="icon" title={labels.previousTitle} aria-label={labels.previous} onClick={() => playback.toMark(-1)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M3 3v10M13 3 6 8l7 5z" />
        </svg>
      </button>
      <button class="icon" title={labels.backTitle} aria-label={labels.back} onClick={() => playback.step(-1)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M11 3 4 8l7 5z" />
        </svg>
      </button>
      <button class="play strong" title={labels.playTitle} onClick={() => playback.toggle()}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d={playing ? "M5 3v10M11 3v10" : "M4 2.5 13 8l-9 5.5z"} />
        </svg>
        {playing ? labels.pause : labels.play}
      </button>
      <button class="icon" title={labels.forwardTitle} aria-label={labels.forward} onClick={() => playback.step(1)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="m5 3 7 5-7 5z" />
        </svg>
      </button>
      <button class="icon" title={labels.nextTitle} aria-label={labels.next} onClick={() => playback.toMark(1)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M13 3v10M3 3l7 5-7 5z" />
        </svg>
      </button>
      <select
        aria-label={labels.speed}
        title={labels.speedTitle}
        value={String(Math.abs(speed))}
        onChange={(event) => {
          playback.speed(Math.sign(speed) * Number(event.currentTarget.value));
          event.currentTarget.blur();
        }}
      >
        {SPEEDS.map((each) => (
          <option key={each} value={String(each)}>
            ×{String(each).replace(".", texts().decimal)}
          </option>
        ))}
      </select>
      <button aria-pressed={speed < 0} title={labels.backwardsTitle} onClick={() => playback.reverse()}>
        {labels.backwards}
      </button>
      <button aria-pressed={looping || choosing} title={labels.loopTitle} onClick={() => playback.toggleLoop()}>
        {choosing ? labels.loopEnd : labels.loop}
      </button>
    </>
  );
}

/** The moment as text; another one can be entered. */
function TimeEntry({ info }: { info: ReplayInfo }) {
  const { playback } = useConsole();
  const [typed, setTyped] = useState<string | null>(null);
  const labels = texts().replay;
  const enter = (field: HTMLInputElement): void => {
    const moment = parseClock(field.value);
    if (moment !== null) playback.seek(Math.min(info.last, Math.max(info.first, moment)));
    setTyped(null);
    field.blur();
  };
  return (
    <span class="times">
      <input
        aria-label={labels.goTo}
        title={labels.goToTitle}
        inputMode="decimal"
        spellcheck={false}
        value={typed ?? exactClock(playback.moment.value)}
        onFocus={(event) => {
          setTyped(event.currentTarget.value);
          event.currentTarget.select();
        }}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key === "Enter") enter(event.currentTarget);
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      <span class="mute">/ {exactClock(info.last)}</span>
      <LinkButton />
    </span>
  );
}

function LinkButton() {
  const { playback, toasts } = useConsole();
  const labels = texts().replay;
  const copy = async (): Promise<void> => {
    history.replaceState(null, "", `${location.pathname}${location.search}#t=${playback.moment.peek().toFixed(2)}`);
    try {
      await navigator.clipboard.writeText(location.href);
      toasts.show(labels.copied);
    } catch {
      toasts.show(labels.inAddress); // browsers forbid the clipboard on pages without encryption
    }
  };
  return (
    <button class="chip quiet" title={labels.linkTitle} onClick={() => void copy()}>
      {labels.link}
    </button>
  );
}

/** Colours of the marks that this record has. */
function Legend({ info }: { info: ReplayInfo }) {
  const labels = texts().replay;
  const kinds = [...new Set(info.marks.map((mark) => mark.kind))];
  return (
    <span class="marklegend mute">
      {kinds.map((kind) => (
        <span key={kind}>
          <i class={`swatch ${kind}`} /> {labels.kinds[kind]}
        </span>
      ))}
    </span>
  );
}
