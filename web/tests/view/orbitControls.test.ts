import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Orbit } from "../../src/view/orbitCamera.ts";
import { attachControls } from "../../src/view/orbitControls.ts";
import { near } from "./world.ts";

const PANE = { width: 800, height: 600 };
const START: Orbit = { target: [0, 0, 0.5], yaw: -1, pitch: 0.4, distance: 2 };

/** Just as much of an element as the controls use. */
class Viewport extends EventTarget {
  getBoundingClientRect(): { left: number; top: number } {
    return { left: 10, top: 20 };
  }
  setPointerCapture(): void {
    // Nothing to do: the test sends every event here.
  }
}

let viewport: Viewport;
let orbit: Orbit;
let focused: [number, number][];
let claimed: boolean;
let end: () => void;

beforeEach(() => {
  viewport = new Viewport();
  orbit = START;
  focused = [];
  claimed = false;
  const steered = {
    orbit: () => orbit,
    viewport: () => PANE,
    steer: (next: Orbit) => void (orbit = next),
    focus: (x: number, y: number) => void focused.push([x, y]),
  };
  end = attachControls(viewport as unknown as HTMLElement, steered, () => claimed);
});

function send(type: string, x: number, y: number, more: object = {}): Event {
  const event = Object.assign(new Event(type, { cancelable: true }), {
    pointerId: 1,
    pointerType: "mouse",
    button: 0,
    shiftKey: false,
    ctrlKey: false,
    deltaMode: 0,
    clientX: x + 10,
    clientY: y + 20,
    ...more,
  });
  viewport.dispatchEvent(event);
  return event;
}

test("the left button turns, and only while it is down", () => {
  send("pointermove", 100, 100);
  assert.equal(orbit, START);
  send("pointerdown", 100, 100);
  send("pointermove", 160, 130);
  near([orbit.yaw, orbit.pitch], [-1 - (60 * Math.PI) / 600, 0.4 + (30 * Math.PI) / 600]);
  assert.deepEqual(orbit.target, START.target);
  send("pointerup", 160, 130);
  const after = orbit;
  send("pointermove", 300, 300);
  assert.equal(orbit, after);
});

for (const [what, more] of [
  ["the right button", { button: 2 }],
  ["the middle button", { button: 1 }],
  ["Shift", { shiftKey: true }],
] as const) {
  test(`${what} moves sideways`, () => {
    send("pointerdown", 100, 100, more);
    send("pointermove", 160, 130, more);
    assert.deepEqual([orbit.yaw, orbit.pitch, orbit.distance], [START.yaw, START.pitch, START.distance]);
    assert.notDeepEqual(orbit.target, START.target);
  });
}

test("one finger turns, two move sideways and pinch", () => {
  const [a, b] = [
    { pointerId: 1, pointerType: "touch" },
    { pointerId: 2, pointerType: "touch" },
  ];
  send("pointerdown", 300, 300, a);
  send("pointermove", 310, 300, a);
  assert.notEqual(orbit.yaw, START.yaw);
  orbit = START;
  send("pointerdown", 510, 300, b);
  send("pointermove", 410, 300, b);
  near([orbit.distance], [4]);
  near([orbit.yaw, orbit.pitch], [START.yaw, START.pitch]);
  orbit = START;
  send("pointermove", 310, 350, a);
  send("pointermove", 410, 350, b);
  near([orbit.distance], [2], 0.2);
  assert.ok(orbit.target[2] > START.target[2], "pulled down, so the camera rose");
  send("pointerup", 410, 350, b);
  orbit = START;
  send("pointermove", 320, 350, a);
  assert.notEqual(orbit.yaw, START.yaw);
});

test("a pointer that belongs to somebody else steers nothing", () => {
  claimed = true;
  send("pointerdown", 100, 100);
  send("pointermove", 160, 130);
  assert.equal(orbit, START);
});

test("a cancelled pointer steers no longer", () => {
  send("pointerdown", 100, 100);
  send("pointercancel", 100, 100);
  send("pointermove", 160, 130);
  assert.equal(orbit, START);
});

test("the wheel zooms to the pointer, by lines as by pixels, and the page does not scroll", () => {
  const event = send("wheel", 400, 300, { deltaY: -100 });
  assert.equal(event.defaultPrevented, true);
  near([orbit.distance], [2 * Math.exp(-0.15)]);
  near(orbit.target, START.target);
  orbit = START;
  send("wheel", 400, 300, { deltaY: -6.25, deltaMode: 1 });
  near([orbit.distance], [2 * Math.exp(-0.15)]);
  orbit = START;
  send("wheel", 600, 300, { deltaY: -100 });
  assert.notDeepEqual(orbit.target, START.target);
});

test("a double click focuses; no menu opens; after the end nothing is heard", () => {
  send("dblclick", 123, 45);
  assert.deepEqual(focused, [[123, 45]]);
  assert.equal(send("contextmenu", 1, 1).defaultPrevented, true);
  end();
  send("dblclick", 123, 45);
  send("wheel", 400, 300, { deltaY: -100 });
  assert.equal(focused.length, 1);
  assert.equal(orbit, START);
});
