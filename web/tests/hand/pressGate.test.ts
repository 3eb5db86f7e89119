import assert from "node:assert/strict";
import test from "node:test";
import { Hand } from "../../src/hand/hand.ts";
import { NOTHING, type Held, type InputSource } from "../../src/hand/inputState.ts";
import { PRESS_KEPT_MS, UPDATE_FRESH_MS } from "../../src/hand/pressGate.ts";
import { ReadingSender } from "../../src/hand/readingSender.ts";
import type { Model } from "../../src/state/model.ts";
import { reduce } from "../../src/state/reduce.ts";
import type { Reading, RobotUpdate } from "../../src/wire.gen.ts";
import { driving, lease, update } from "../fixtures.ts";

const PRESSED: Held = { deadman: true, axes: { x: 1 }, pose: null };

/** A page in control under epoch 3, whose first reading has the sequence number 1, with a hand and a clock. */
class Rig {
  now: Held = NOTHING;
  at = 1000;
  late = 0;
  readonly sent: Reading[] = [];
  private model: Model;
  private readonly sender: ReadingSender;

  constructor(robot: Partial<RobotUpdate> = {}, epochs: number[] = [-1]) {
    const source: InputSource = { read: () => this.now, release: () => (this.now = NOTHING) };
    this.model = reduce(driving(robot), update({ epochs }, robot), this.at);
    this.sender = new ReadingSender(
      new Hand([source]),
      (message) => message.type === "Hand" && this.sent.push(message.reading) > 0,
      () => null,
      () => this.at,
      () => (this.late += 1),
    );
  }

  /** Let time pass, and send what the hand does then; return whether that enables. */
  sends(after = 16): boolean {
    this.at += after;
    this.sender.tick(this.model, "arm");
    return this.sent.at(-1)?.deadman ?? false;
  }

  hears(heard: number, epoch = 3): void {
    this.model = reduce(this.model, update({ epochs: [epoch] }, { heard }), this.at);
  }

  leases(changes: Parameters<typeof lease>[0]): void {
    this.model = reduce(this.model, { type: "Leases", robots: [lease(changes)], viewers: 1 }, this.at);
  }
}

test("a press that comes with the very first reading of a lease waits until the cell has heard that lease", () => {
  const rig = new Rig();
  rig.now = PRESSED;
  assert.equal(rig.sends(), false);
  assert.deepEqual([rig.sent[0]?.axes, rig.sent[0]?.presses], [[], { deadman: 0 }]);
  rig.hears(2); // of the holder before
  rig.hears(2, 2);
  assert.equal(rig.sends(), false);
  rig.hears(1);
  assert.equal(rig.sends(), true);
  assert.deepEqual(rig.sent.at(-1)?.presses, { deadman: 1 });
  assert.equal(rig.sent.at(-1)?.axes?.[0], 1);
});

test("under a lease that the cell has heard a press goes out at once", () => {
  const rig = new Rig();
  assert.equal(rig.sends(), false);
  rig.hears(1);
  rig.now = PRESSED;
  assert.equal(rig.sends(0), true);
});

test("after a reload the first press waits too, though the lease is the same", () => {
  const rig = new Rig({ heard: 812 }, [3]);
  rig.now = PRESSED;
  assert.equal(rig.sends(), false);
  rig.hears(813);
  assert.equal(rig.sends(), true);
});

test("a press waits for an update, so that it echoes no old tick", () => {
  const rig = new Rig();
  rig.sends();
  rig.hears(1);
  rig.now = PRESSED;
  assert.equal(rig.sends(UPDATE_FRESH_MS + 1), false);
  rig.hears(2);
  assert.equal(rig.sends(UPDATE_FRESH_MS), true);
  assert.equal(rig.sends(10 * UPDATE_FRESH_MS), true); // what counts already is the cell's to judge
});

test("an update is fresh for 50 ms, and a press may wait for half a second", () => {
  assert.deepEqual([UPDATE_FRESH_MS, PRESS_KEPT_MS], [50, 500]);
});

test("a press that has waited too long never counts, and says so once; the next one does", () => {
  const rig = new Rig();
  rig.now = PRESSED;
  rig.sends();
  rig.sends(PRESS_KEPT_MS);
  assert.equal(rig.late, 0);
  rig.sends(1);
  rig.hears(3);
  assert.equal(rig.sends(), false);
  assert.equal(rig.late, 1);
  rig.now = NOTHING;
  rig.sends();
  rig.now = PRESSED;
  assert.equal(rig.sends(0), true);
  assert.deepEqual(rig.sent.at(-1)?.presses, { deadman: 2 });
});

test("a press that ends while it waits is never sent", () => {
  const rig = new Rig();
  rig.now = PRESSED;
  rig.sends();
  rig.now = NOTHING;
  rig.hears(1);
  rig.sends();
  rig.sends();
  assert.ok(rig.sent.every((reading) => reading.deadman === false));
});

test("a press from before the lease does not wait for it: it is held, and not fresh", () => {
  const rig = new Rig();
  rig.leases({ holder: 2 });
  rig.now = PRESSED;
  rig.sends();
  rig.leases({ epoch: 4 });
  assert.equal(rig.sends(), true); // in the first reading of a lease the cell counts no press
  rig.hears(1, 4);
  assert.equal(rig.sends(), true);
  assert.deepEqual(rig.sent.map((reading) => reading.presses), [{ deadman: 1 }, { deadman: 1 }]);
});

test("a new lease in mid-drive needs a fresh press", () => {
  const rig = new Rig();
  rig.sends();
  rig.hears(1);
  rig.now = PRESSED;
  rig.sends();
  rig.leases({ epoch: 4 });
  rig.sends();
  assert.deepEqual(rig.sent.at(-1)?.presses, { deadman: 1 });
  assert.equal(rig.sent.at(-1)?.epoch, 4);
  rig.now = NOTHING;
  rig.sends();
  rig.now = PRESSED;
  assert.equal(rig.sends(), false); // until the cell has heard the new lease
  rig.hears(3, 4);
  assert.equal(rig.sends(), true);
});
