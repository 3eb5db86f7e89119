import assert from "node:assert/strict";
import test from "node:test";
import { Hand } from "../../src/hand/hand.ts";
import { combine, NOTHING, type Held, type InputSource } from "../../src/hand/inputState.ts";
import { whenLeft } from "../../src/hand/operatorLeft.ts";
import { ReadingSender } from "../../src/hand/readingSender.ts";
import { Sticks, stickPages } from "../../src/hand/touchSticks.ts";
import { reduce } from "../../src/state/reduce.ts";
import type { FromPage, Reading } from "../../src/wire.gen.ts";
import { driving, lease, ROBOT, scene, TIP, update } from "../fixtures.ts";

const AXES = ["x", "y", "grip"];

function held(axes: Record<string, number>, deadman = true): Held {
  return { deadman, axes, pose: null };
}

class FakeSource implements InputSource {
  now: Held = NOTHING;
  read(): Held {
    return this.now;
  }
  release(): void {
    this.now = NOTHING;
  }
}

test("deflections come in the order of the mapping's axes", () => {
  assert.deepEqual(combine([held({ grip: -1, x: 0.5 })], AXES), { deadman: true, axes: [0.5, 0, -1] });
});

test("devices add up within full deflection", () => {
  assert.deepEqual(combine([held({ x: 0.8 }), held({ x: 0.8, y: -2 })], AXES).axes, [1, -1, 0]);
});

test("a device without its deadman adds nothing, and numbers that are none count as rest", () => {
  assert.deepEqual(combine([held({ x: 1 }, false)], AXES), { deadman: false, axes: [0, 0, 0] });
  assert.deepEqual(combine([held({ x: NaN })], AXES).axes, [0, 0, 0]);
});

test("a pose leads only while it is held", () => {
  const pose = { position: [1, 2, 3] as [number, number, number] };
  assert.deepEqual(combine([{ deadman: true, axes: {}, pose }], []).pose, pose);
  assert.ok(!("pose" in combine([{ deadman: false, axes: {}, pose }], [])));
});

test("fresh presses are counted, held ones are not", () => {
  const source = new FakeSource();
  const hand = new Hand([source]);
  assert.deepEqual(hand.read(AXES).presses, { deadman: 0 });
  source.now = held({ x: 1 });
  assert.deepEqual(hand.read(AXES).presses, { deadman: 1 });
  assert.deepEqual(hand.read(AXES).presses, { deadman: 1 });
  hand.release();
  assert.equal(hand.read(AXES).deadman, false);
  source.now = held({ x: 1 });
  assert.deepEqual(hand.read(AXES).presses, { deadman: 2 });
});

function sent(): { messages: Reading[]; send: (message: FromPage) => boolean } {
  const messages: Reading[] = [];
  const send = (message: FromPage): boolean => {
    if (message.type === "Hand") messages.push(message.reading);
    return true;
  };
  return { messages, send };
}

test("readings carry lease, tick echo and a sequence that counts up", () => {
  const { messages, send } = sent();
  const sender = new ReadingSender(new Hand([new FakeSource()]), send);
  sender.tick(driving(), "arm");
  sender.tick(driving(), "arm");
  assert.deepEqual(messages.map((reading) => reading.sequence), [1, 2]);
  assert.equal(messages[0]?.epoch, 3);
  assert.equal(messages[0].tick, 100);
  assert.equal(messages[0].axes?.length, TIP.axes.length);
});

test("only a way to drive that goes by what the operator sees is told how he looks", () => {
  const { messages, send } = sent();
  const sender = new ReadingSender(new Hand([new FakeSource()]), send, () => [0.5, 0.5, 0.5, 0.5]);
  sender.tick(driving(), "arm");
  sender.tick(driving({ mapping: 2 }), "arm");
  assert.deepEqual(messages.map((reading) => reading.view), [undefined, [0.5, 0.5, 0.5, 0.5]]);
});

test("after a reload the sequence goes on where the cell has heard it", () => {
  const { messages, send } = sent();
  new ReadingSender(new Hand([new FakeSource()]), send).tick(driving({ heard: 812 }), "arm");
  assert.equal(messages[0]?.sequence, 813);
});

test("nothing is sent without control, without a picture or without a connection", () => {
  const { messages, send } = sent();
  const sender = new ReadingSender(new Hand([new FakeSource()]), send);
  const model = driving();
  sender.tick(reduce(model, { type: "Leases", robots: [lease({ holder: 2 })], viewers: 2 }, 1), "arm");
  sender.tick({ ...model, now: null }, "arm");
  sender.tick({ ...model, phase: "lost" }, "arm");
  assert.equal(messages.length, 0);
});

test("a press while control was elsewhere does not look fresh when control comes", () => {
  const { messages, send } = sent();
  const source = new FakeSource();
  const sender = new ReadingSender(new Hand([source]), send);
  source.now = held({ x: 1 });
  sender.tick(reduce(driving(), { type: "Leases", robots: [], viewers: 1 }, 1), "arm");
  sender.tick(driving(), "arm");
  sender.tick(driving(), "arm");
  assert.deepEqual(messages.map((reading) => reading.presses), [{ deadman: 1 }, { deadman: 1 }]);
});

test("other robots that are held hear a hand at rest", () => {
  const { messages, send } = sent();
  const source = new FakeSource();
  source.now = held({ x: 1 });
  const model = reduce(driving(), { type: "Leases", robots: [lease({ robot: "other" })], viewers: 1 }, 1);
  new ReadingSender(new Hand([source]), send).tick(reduce(model, update(), 2), "arm");
  assert.equal(messages[0]?.deadman, false);
  assert.deepEqual(messages[0].axes, []);
});

test("a robot that a script drives hears no hand", () => {
  const { messages, send } = sent();
  const scripted = reduce(driving(), scene({ robots: [{ ...ROBOT, by_hand: false }] }), 1);
  new ReadingSender(new Hand([new FakeSource()]), send).tick(reduce(scripted, update(), 2), "arm");
  assert.equal(messages.length, 0);
});

class Tab extends EventTarget {
  hidden = false;
}

test("blur, a hidden tab and leaving the page release at once; a tab that comes back does not", () => {
  const page = new EventTarget();
  const tab = new Tab();
  let released = 0;
  whenLeft(page, tab, () => (released += 1));
  page.dispatchEvent(new Event("blur"));
  assert.equal(released, 1);
  tab.hidden = true;
  tab.dispatchEvent(new Event("visibilitychange"));
  assert.equal(released, 2);
  tab.hidden = false;
  tab.dispatchEvent(new Event("visibilitychange"));
  assert.equal(released, 2);
  page.dispatchEvent(new Event("pagehide"));
  assert.equal(released, 3);
});

test("sticks: touching is the deadman, directions follow the mapping", () => {
  let changes = 0;
  const sticks = new Sticks(() => (changes += 1));
  sticks.touch("left", 0.5, 1);
  assert.equal(changes, 1);
  assert.deepEqual(sticks.read(TIP.axes), { deadman: true, axes: { y: -0.5, x: 1 }, pose: null });
  sticks.lift("left");
  assert.equal(sticks.read(TIP.axes).deadman, false);
});

test("sticks: after a release the finger must come anew", () => {
  const sticks = new Sticks(() => undefined);
  sticks.touch("right", 0, 1);
  sticks.release();
  sticks.move("right", 0, 0.9);
  assert.equal(sticks.read(TIP.axes).deadman, false);
});

test("sticks drive a robot on tracks: the left one drives, the right one lifts", () => {
  const sticks = new Sticks(() => undefined);
  sticks.touch("left", 0.5, 1);
  sticks.touch("right", 0, -0.5);
  assert.deepEqual(sticks.read(["forward", "turn", "flippers"]).axes, { turn: -0.5, forward: 1, flippers: -0.5 });
});

test("sticks: six joints take two pages", () => {
  const axes = Array.from({ length: 6 }, (_, index) => `joint:${index}`);
  const pages = stickPages(axes);
  assert.deepEqual(pages.map((page) => page.name), ["Joints 1–4", "Joints 5–6"]);
  assert.equal(pages[1]?.left.along?.axis, "joint:5");
  assert.equal(pages[1].right.across, null);
});
