/** Plays a record: sends what the viewer asks, and handles the keys of a replay. */

import { computed, signal } from "@preact/signals";
import { momentIn, spanAt, markFrom, speedAfter } from "../state/replay.ts";
import type { Store } from "../state/store.ts";
import type { FromPage, Playback as PlaybackOrder } from "../wire.gen.ts";

/** Time between two seeks while the timeline is dragged, ms. */
const SEEK_EVERY_MS = 50;
/** How long a requested moment counts as present, ms: the next pictures confirm it. */
const PENDING_MS = 500;
const NEAR_S = 0.05;
const LONG_STEP_S = 1;

/** The part of `KeyboardEvent` that is used. */
export interface ReplayKey {
  readonly code: string;
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly repeat: boolean;
}

export class Playback {
  /** A moment that was requested and is not confirmed yet. */
  private readonly wanted = signal<number | null>(null);
  /** First second of a loop whose end is not chosen yet. */
  readonly loopStart = signal<number | null>(null);
  /** The moment to show. */
  readonly moment = computed(() => this.wanted.value ?? this.store.playback.value?.moment ?? 0);
  private sentAt = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private linked: number | null;

  constructor(
    private readonly store: Store,
    private readonly send: (message: FromPage) => boolean,
    hash: string,
  ) {
    this.linked = momentIn(hash);
  }

  /** A scene came: go to the moment that the address names, once. */
  began(): void {
    if (this.store.replay.peek() === null || this.linked === null) return;
    this.seek(this.linked);
    this.linked = null;
  }

  /** An update came: forget a requested moment that it confirms. */
  heard(moment: number): void {
    const wanted = this.wanted.peek();
    if (wanted !== null && Math.abs(wanted - moment) < NEAR_S) this.wanted.value = null;
  }

  /** The address names another moment. */
  follow(hash: string): void {
    const moment = momentIn(hash);
    if (moment !== null) this.seek(moment);
  }

  toggle(): void {
    this.order(this.store.playback.peek()?.playing === true ? "pause" : "play");
  }

  /** Go to a moment; while dragging not every one is sent, but the last one is. */
  seek(moment: number, dragging = false): void {
    this.wanted.value = moment;
    clearTimeout(this.timer);
    const now = performance.now();
    if (!dragging || now - this.sentAt >= SEEK_EVERY_MS) {
      this.sentAt = now;
      this.order("seek", moment);
    }
    this.timer = setTimeout(() => {
      this.wanted.value = null;
    }, PENDING_MS);
  }

  step(pictures: number): void {
    this.order("step", pictures);
  }

  /** Go to the next mark, or to the previous one. */
  toMark(direction: 1 | -1): void {
    const found = markFrom(this.store.replay.peek()?.marks ?? [], this.moment.peek(), direction);
    if (found !== null) this.seek(found);
  }

  speed(speed: number): void {
    this.order("speed", speed);
  }

  reverse(): void {
    this.order("speed", -this.speedNow);
  }

  /** Loop the episode around the moment; without one the first press is its start, the second its end. */
  toggleLoop(): void {
    const moment = this.moment.peek();
    const start = this.loopStart.peek();
    if ((this.store.playback.peek()?.loop ?? null) !== null) return this.order("unloop");
    if (start !== null) return this.loop(start, moment);
    const span = spanAt(this.store.replay.peek()?.marks ?? [], moment);
    if (span !== null) return this.loop(span.first, span.last);
    this.loopStart.value = moment;
  }

  loop(first: number, last: number): void {
    this.loopStart.value = null;
    this.order("loop", first, last);
  }

  /** Handle a key; return whether it was one of a replay. */
  key(event: ReplayKey): boolean {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const act = this.actionOf(event);
    if (act === null) return false;
    const repeats = event.code.startsWith("Arrow");
    if (!event.repeat || repeats) act();
    return true;
  }

  private actionOf(event: ReplayKey): (() => void) | null {
    const info = this.store.replay.peek();
    if (info === null) return null;
    switch (event.code) {
      case "Space":
        return () => this.toggle();
      case "ArrowLeft":
      case "ArrowRight": {
        const direction = event.code === "ArrowRight" ? 1 : -1;
        return () => (event.shiftKey ? this.seek(this.moment.peek() + direction * LONG_STEP_S) : this.step(direction));
      }
      case "ArrowUp":
        return () => this.speed(speedAfter(this.speedNow, 1));
      case "ArrowDown":
        return () => this.speed(speedAfter(this.speedNow, -1));
      case "Home":
        return () => this.seek(info.first);
      case "End":
        return () => this.seek(info.last);
    }
    switch (event.key.toLowerCase()) {
      case "n":
        return () => this.toMark(1);
      case "p":
        return () => this.toMark(-1);
      case "l":
        return () => this.toggleLoop();
      case "r":
        return () => this.reverse();
      default:
        return null;
    }
  }

  private get speedNow(): number {
    return this.store.playback.peek()?.speed ?? 1;
  }

  private order(action: PlaybackOrder["action"], value = 0, until = 0): void {
    this.send({ type: "Playback", action, value, until });
  }
}
