/** Decides when to draw and at which quality: on changes only, within a share of the time, and finely at rest. */

import { finer, openBudget, pace, qualityOf, restQuality, SHARP, spend } from "../drawBudget.ts";
import type { Budget, Quality } from "../drawBudget.ts";
import { typical } from "../drawCosts.ts";
import type { Clock } from "./drawClock.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** Time without motion after which a fine picture is drawn, ms. */
const REST_AFTER_MS = { card: 150, software: 400 };
/** Time of a million fine pixels until it is measured, ms. */
const FIRST_FINE_MS = { card: 5, software: 450 };
/** Factor on that time after each rest without a fine picture, so that one is tried again later. */
const RETRY_FACTOR = 0.7;

/** Measures the time of a picture. */
export type Watch = Pick<Stopwatch, "measure" | "dispose">;

/** The painter as the pacer drives it. */
export interface PacedPainter {
  /** Return the pixels of a picture at full resolution. */
  pixels(): number;
  /** Return whether an operator drives by these pictures: then they have priority. */
  lively(): boolean;
  /** Prepare a quality; null if it is prepared already. */
  prepare(quality: Quality): Promise<void> | null;
  /** Draw one picture: the views whose turn it is, or all. Return whether any view is still out of date. */
  paint(quality: Quality, all: boolean): boolean;
  /** A picture is complete after `ms` milliseconds. */
  drawn(ms: number): void;
}

export class Pacer {
  private readonly share: number;
  private readonly stopwatch: Watch;
  private readonly clock: Clock;
  private readonly painter: PacedPainter;
  private readonly restAfter: number;
  private budget: Budget;
  private finePixelMs: number;
  /** Something changed since the last picture. */
  private dirty = false;
  /** Quality of the last complete picture; null if there is none. */
  private shown: Quality | null = null;
  private drawing = false;
  private requested = false;
  private closed = false;
  private hurried = false;
  private lastStart = -Infinity;
  private lastChange = 0;
  private drawn = 0;
  private forget: () => void = () => undefined;

  constructor(software: boolean, share: number, stopwatch: Watch, painter: PacedPainter, clock: Clock) {
    this.share = share;
    this.clock = clock;
    this.stopwatch = stopwatch;
    this.painter = painter;
    this.restAfter = software ? REST_AFTER_MS.software : REST_AFTER_MS.card;
    this.finePixelMs = software ? FIRST_FINE_MS.software : FIRST_FINE_MS.card;
    this.budget = openBudget(software, painter.pixels());
  }

  /** Request a picture after a change. */
  change(): void {
    this.dirty = true;
    this.shown = null;
    this.lastChange = this.clock.now();
    this.request();
  }

  /** While a robot moves, no fine picture is drawn: it would take too long. */
  hurry(hurried: boolean): void {
    this.hurried = hurried;
    if (!hurried) this.request();
  }

  /** Return figures about drawing since the last report. */
  report(): { fps: number; drawMs: number; scale: number } {
    const fps = this.drawn;
    this.drawn = 0;
    return { fps, drawMs: typical(this.budget.times), scale: qualityOf(this.budget).scale };
  }

  dispose(): void {
    this.closed = true;
    this.forget();
    this.stopwatch.dispose();
  }

  private request(): void {
    if (this.requested || this.drawing || this.closed) return;
    this.requested = true;
    this.clock.frame(() => {
      this.requested = false;
      if (!this.closed) this.step();
    });
  }

  private step(): void {
    const now = this.clock.now();
    const due = this.dirty ? this.lastStart + pace(this.budget, this.share, this.painter.lively()) : this.lastChange + this.restAfter;
    // A frame that is up to 2 ms early counts.
    if (now + 2 < due) this.later(due - now);
    else if (this.dirty) this.move();
    else this.rest();
  }

  private move(): void {
    this.draw(qualityOf(this.budget), false, (ms) => (this.budget = spend(this.budget, ms, this.painter.pixels())));
  }

  private later(ms: number): void {
    this.forget();
    this.forget = this.clock.after(ms, () => this.request());
  }

  /** Draw as finely as time allows while nothing moves; again if that was faster than expected. */
  private rest(): void {
    if (this.hurried) return;
    const pixels = this.painter.pixels();
    const quality = restQuality(this.finePixelMs, pixels);
    if (quality === SHARP) this.finePixelMs *= RETRY_FACTOR;
    if (!finer(quality, this.shown)) return;
    this.draw(quality, true, (ms) => {
      if (quality.fine) this.finePixelMs = (ms * 1e6) / (pixels * quality.scale ** 2);
    });
  }

  private draw(quality: Quality, all: boolean, measured: (ms: number) => void): void {
    const ready = this.painter.prepare(quality);
    if (ready !== null) {
      this.drawing = true;
      void ready.then(() => this.done());
      return;
    }
    const start = this.clock.now();
    this.lastStart = start;
    this.drawing = true;
    this.shown = quality;
    this.dirty = this.painter.paint(quality, all);
    this.drawn += 1;
    this.stopwatch.measure(start, (ms) => {
      measured(ms);
      this.painter.drawn(ms);
      this.done();
    });
  }

  private done(): void {
    this.drawing = false;
    this.request();
  }
}
