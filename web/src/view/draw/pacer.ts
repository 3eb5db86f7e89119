/** Decides when to draw and how finely: on change only, within a share of the time, and once more finely at rest. */

import { finer, openBudget, pace, qualityOf, restQuality, SHARP, spend } from "../drawBudget.ts";
import type { Budget, Quality } from "../drawBudget.ts";
import { typical } from "../drawCosts.ts";
import type { Clock } from "./drawClock.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** When nothing has moved for so long (ms), a picture is drawn as well as it can be. */
const REST_MS = { card: 150, software: 400 };
/** What a million fine pixels take (ms), until it has been measured. */
const FIRST_GUESS = { card: 5, software: 450 };
/** A guess that forbids a fine picture fades by this each time, so that it is tried again when there is less to do. */
const FADING = 0.7;

/** What tells how long a picture takes. */
export type Watch = Pick<Stopwatch, "measure" | "dispose">;

/** What draws. */
export interface PacedPainter {
  /** Return how many pixels a picture has in full. */
  pixels(): number;
  /** Return whether somebody drives by these pictures: they come before what else there is to do. */
  lively(): boolean;
  /** Get ready to draw so; null if that is so already. */
  prepare(quality: Quality): Promise<void> | null;
  /** Draw one picture: the views whose turn it is, or all. Returns whether views are left that are out of date. */
  paint(quality: Quality, all: boolean): boolean;
  /** The picture is really there, after so many milliseconds. */
  drawn(ms: number): void;
}

export class Pacer {
  private readonly share: number;
  private readonly stopwatch: Watch;
  private readonly clock: Clock;
  private readonly easel: PacedPainter;
  private readonly restAfter: number;
  private budget: Budget;
  private finePixelMs: number;
  /** Something changed since the last picture. */
  private dirty = false;
  /** How the picture of all there is to see was drawn; null if there is none. */
  private shown: Quality | null = null;
  private drawing = false;
  private requested = false;
  private closed = false;
  private hurried = false;
  private lastStart = -Infinity;
  private lastChange = 0;
  private drawn = 0;
  private forget: () => void = () => undefined;

  constructor(software: boolean, share: number, stopwatch: Watch, easel: PacedPainter, clock: Clock) {
    this.share = share;
    this.clock = clock;
    this.stopwatch = stopwatch;
    this.easel = easel;
    this.restAfter = software ? REST_MS.software : REST_MS.card;
    this.finePixelMs = software ? FIRST_GUESS.software : FIRST_GUESS.card;
    this.budget = openBudget(software, easel.pixels());
  }

  /** There is something new to see. */
  change(): void {
    this.dirty = true;
    this.shown = null;
    this.lastChange = this.clock.now();
    this.request();
  }

  /** While somebody drives, a picture that takes long would only be in the way: at rest none is drawn. */
  hurry(hurried: boolean): void {
    this.hurried = hurried;
    if (!hurried) this.request();
  }

  /** Return how drawing went since the last report. */
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
    const due = this.dirty ? this.lastStart + pace(this.budget, this.share, this.easel.lively()) : this.lastChange + this.restAfter;
    // A frame of the display that is only just too early is taken all the same.
    if (now + 2 < due) this.later(due - now);
    else if (this.dirty) this.move();
    else this.rest();
  }

  private move(): void {
    this.draw(qualityOf(this.budget), false, (ms) => (this.budget = spend(this.budget, ms, this.easel.pixels())));
  }

  private later(ms: number): void {
    this.forget();
    this.forget = this.clock.after(ms, () => this.request());
  }

  /** Nothing moves: draw as finely as there is time for, again if it went faster than expected. */
  private rest(): void {
    if (this.hurried) return;
    const pixels = this.easel.pixels();
    const quality = restQuality(this.finePixelMs, pixels);
    if (quality === SHARP) this.finePixelMs *= FADING;
    if (!finer(quality, this.shown)) return;
    this.draw(quality, true, (ms) => {
      if (quality.fine) this.finePixelMs = (ms * 1e6) / (pixels * quality.scale ** 2);
    });
  }

  private draw(quality: Quality, all: boolean, measured: (ms: number) => void): void {
    const ready = this.easel.prepare(quality);
    if (ready !== null) {
      this.drawing = true;
      void ready.then(() => this.done());
      return;
    }
    const start = this.clock.now();
    this.lastStart = start;
    this.drawing = true;
    this.shown = quality;
    this.dirty = this.easel.paint(quality, all);
    this.drawn += 1;
    this.stopwatch.measure(start, (ms) => {
      measured(ms);
      this.easel.drawn(ms);
      this.done();
    });
  }

  private done(): void {
    this.drawing = false;
    this.request();
  }
}
