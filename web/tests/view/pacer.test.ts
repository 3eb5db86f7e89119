import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quality } from "../../src/view/drawBudget.ts";
import { FINEST, SHARP } from "../../src/view/drawBudget.ts";
import type { Clock } from "../../src/view/draw/drawClock.ts";
import { Pacer } from "../../src/view/draw/pacer.ts";

const FRAME = 16;

/** A display of 60 Hz and a renderer that takes as long as the test says, in a time that the test turns. */
class Studio {
  time = 0;
  cost = (quality: Quality): number => (quality.fine ? 200 : 20);
  size = 6e5;
  seen = 0;
  /** Views that wait for their turn. */
  left = 0;
  readonly painted: { at: number; quality: Quality }[] = [];
  readonly pacer: Pacer;
  private waiting: { due: number; callback: () => void }[] = [];

  constructor(software: boolean, share = 0.5, ready: Promise<void> | null = null) {
    const clock: Clock = {
      now: () => this.time,
      frame: (callback) => this.at((Math.floor(this.time / FRAME) + 1) * FRAME, callback),
      after: (ms, callback) => this.at(this.time + ms, callback),
    };
    let first = ready;
    const easel = {
      pixels: () => this.size,
      lively: () => false,
      prepare: (): Promise<void> | null => {
        const wait = first;
        first = null;
        return wait;
      },
      paint: (quality: Quality, all: boolean) => {
        this.painted.push({ at: this.time, quality });
        this.left = all ? 0 : Math.max(0, this.left - 1);
        return this.left > 0;
      },
      drawn: () => void (this.seen += 1),
    };
    const watch = {
      measure: (start: number, done: (ms: number) => void) => {
        const ms = this.cost(this.painted.at(-1)?.quality ?? FINEST);
        this.at(start + ms, () => done(ms));
      },
      dispose: () => undefined,
    };
    this.pacer = new Pacer(software, share, watch, easel, clock);
  }

  /** Let time pass, with a change at each frame if something moves. */
  pass(ms: number, moving = false): void {
    const end = this.time + ms;
    while (this.time < end) {
      if (moving) this.pacer.change();
      const next = Math.min(this.time + FRAME, end);
      this.turn(next);
    }
  }

  private turn(to: number): void {
    for (;;) {
      this.waiting.sort((a, b) => a.due - b.due);
      const [next] = this.waiting;
      if (next === undefined || next.due > to) break;
      this.waiting.shift();
      this.time = Math.max(this.time, next.due);
      next.callback();
    }
    this.time = to;
  }

  private at(due: number, callback: () => void): () => void {
    const entry = { due, callback };
    this.waiting.push(entry);
    return () => {
      this.waiting = this.waiting.filter((other) => other !== entry);
    };
  }
}

test("nothing is drawn while nothing changes", () => {
  const studio = new Studio(false);
  studio.pass(1000);
  assert.equal(studio.painted.length, 0);
});

test("a graphics card draws each change at the display's rate, and rests without another picture", () => {
  const studio = new Studio(false);
  studio.cost = () => 3;
  studio.pass(1600, true);
  assert.ok(studio.painted.length >= 95 && studio.painted.length <= 101, `${studio.painted.length} pictures`);
  const moving = studio.painted.length;
  studio.pass(3000);
  assert.ok(studio.painted.length <= moving + 1);
  assert.ok(studio.painted.every(({ quality }) => quality === FINEST));
});

test("drawing takes at most its share of the time", () => {
  for (const share of [0.5, 0.25]) {
    const studio = new Studio(true, share);
    studio.cost = () => 60;
    studio.pass(6000, true);
    const busy = (studio.painted.length * 60) / 6000;
    assert.ok(busy <= share + 0.02 && busy > share * 0.7, `busy ${busy} of ${share}`);
  }
});

test("pictures never pile up: the next begins after the last is done", () => {
  const studio = new Studio(true);
  studio.cost = () => 300;
  studio.pass(5000, true);
  for (let i = 1; i < studio.painted.length; i++) {
    assert.ok((studio.painted[i]?.at ?? 0) - (studio.painted[i - 1]?.at ?? 0) >= 300);
  }
});

test("the processor draws plainly in motion, and one fine picture at rest", () => {
  const studio = new Studio(true);
  studio.pass(1000, true);
  assert.ok(studio.painted.every(({ quality }) => !quality.fine));
  const moving = studio.painted.length;
  studio.pass(5000);
  const still = studio.painted.slice(moving).filter(({ quality }) => quality.fine);
  assert.equal(still.length, 1);
  assert.deepEqual(studio.painted.at(-1)?.quality, FINEST);
});

test("a fine picture that takes far too long is not tried at the next rest, but later again", () => {
  const studio = new Studio(true);
  studio.cost = ({ fine }) => (fine ? 3000 : 20);
  const rests: (Quality | undefined)[] = [];
  for (let i = 0; i < 6; i++) {
    studio.pass(500, true);
    studio.pass(6000);
    rests.push(studio.painted.at(-1)?.quality);
  }
  assert.deepEqual(rests[0], FINEST);
  assert.deepEqual(rests[1], SHARP);
  assert.ok(rests.slice(2).some((quality) => quality?.fine), "tried again");
});

test("a change during the fine picture is drawn right after it", () => {
  const studio = new Studio(true);
  studio.pacer.change();
  studio.pass(450);
  assert.equal(studio.painted.at(-1)?.quality.fine, true);
  const before = studio.painted.length;
  studio.pacer.change();
  studio.pass(250);
  assert.equal(studio.painted.length, before + 1);
  assert.equal(studio.painted.at(-1)?.quality.fine, false);
});

test("the first picture waits until the shaders are ready", async () => {
  let ready = (): void => undefined;
  const studio = new Studio(false, 0.5, new Promise((resolve) => (ready = resolve)));
  studio.pass(500, true);
  assert.equal(studio.painted.length, 0);
  ready();
  await Promise.resolve();
  await Promise.resolve();
  studio.pass(50);
  assert.equal(studio.painted.length, 1);
});

test("a picture is said to be there only when it really is", () => {
  const studio = new Studio(true);
  studio.cost = () => 2000;
  studio.pacer.change();
  studio.pass(1000);
  assert.deepEqual([studio.painted.length, studio.seen], [1, 0]);
  studio.pass(1500);
  assert.equal(studio.seen, 1);
});

test("a report counts the pictures since the one before", () => {
  const studio = new Studio(false);
  studio.cost = () => 3;
  studio.pass(960, true);
  const { fps, drawMs, scale } = studio.pacer.report();
  assert.equal(fps, studio.painted.length);
  assert.deepEqual([Math.round(drawMs), scale], [3, 1]);
  assert.equal(studio.pacer.report().fps, 0);
});

test("after the end nothing is drawn", () => {
  const studio = new Studio(false);
  studio.pacer.change();
  studio.pacer.dispose();
  studio.pacer.change();
  studio.pass(1000);
  assert.equal(studio.painted.length, 0);
});

test("while somebody drives, nothing fine is drawn at rest; once he lets go, it is", () => {
  const studio = new Studio(true);
  studio.pacer.hurry(true);
  studio.pass(100, true);
  studio.pass(3000);
  assert.equal(studio.painted.some(({ quality }) => quality.fine), false);
  studio.pacer.hurry(false);
  studio.pass(3000);
  assert.deepEqual(studio.painted.at(-1)?.quality, FINEST);
});

test("views that wait for their turn get it, though nothing moves any more", () => {
  const studio = new Studio(true);
  studio.left = 4;
  studio.pacer.change();
  studio.pass(350);
  assert.equal(studio.painted.length, 4, "one after another, within its share of the time");
  assert.equal(studio.left, 0);
});
