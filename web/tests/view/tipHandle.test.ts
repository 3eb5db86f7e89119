import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Drag } from "../../src/view/api.ts";
import { basis, project } from "../../src/view/orbitCamera.ts";
import type { Orbit } from "../../src/view/orbitCamera.ts";
import { applyInverse, dot, subtract } from "../../src/view/math.ts";
import type { Rigid, Vec3 } from "../../src/view/math.ts";
import type { HandleLook } from "../../src/view/painterProtocol.ts";
import { TipHandle } from "../../src/view/tipHandle.ts";
import { near, ROBOT } from "./world.ts";

const PANE = { width: 800, height: 600 };
const ORBIT: Orbit = { target: [1, 0, 0.8], yaw: -1.1, pitch: 0.4, distance: 2 };
const TIP: Rigid = { position: [1, 0.1, 0.9], rotation: [1, 0, 0, 0] };
// The base is turned by a quarter about z.
const BASE: Rigid = { position: [1, 0, 0.5], rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] };

/** Just as much of an element as the handle uses. */
class Viewport extends EventTarget {
  readonly style = { cursor: "" };
  getBoundingClientRect(): { left: number; top: number } {
    return { left: 100, top: 50 };
  }
  setPointerCapture(): void {
    // Nothing to do: the test sends every event here.
  }
}

let viewport: Viewport;
let drags: Drag[];
let shown: (HandleLook | null)[];
let handle: TipHandle;
const page = globalThis as unknown as Partial<Record<"window" | "document", EventTarget>>;

beforeEach(() => {
  page.window = new EventTarget();
  page.document = new EventTarget();
  viewport = new Viewport();
  drags = [];
  shown = [];
  handle = new TipHandle(viewport as unknown as HTMLElement, {
    orbit: () => ORBIT,
    viewport: () => PANE,
    show: (look) => shown.push(look),
    emit: (drag) => drags.push(drag),
  });
  handle.hold({ robot: "arm", place: ROBOT.tip, tip: () => TIP, base: () => BASE });
});

afterEach(() => {
  handle.dispose();
  delete page.window;
  delete page.document;
});

function pointer(type: string, point: Vec3, more: object = {}): PointerEvent {
  const spot = project(ORBIT, PANE, point);
  assert.ok(spot);
  const event = new Event(type);
  const place = { clientX: spot.x + 100, clientY: spot.y + 50 };
  return Object.assign(event, { pointerId: 1, button: 0, buttons: 0, pointerType: "mouse", shiftKey: false, ...place, ...more }) as unknown as PointerEvent;
}

function phases(): string[] {
  return drags.map((drag) => drag.phase);
}

test("a drag says where the tip is wanted, in the robot's base frame", () => {
  assert.equal(handle.claim(pointer("pointerdown", TIP.position)), true);
  const { right } = basis(ORBIT);
  const wanted: Vec3 = [TIP.position[0] + right[0] * 0.1, TIP.position[1] + right[1] * 0.1, TIP.position[2]];
  viewport.dispatchEvent(pointer("pointermove", wanted, { buttons: 1 }));
  viewport.dispatchEvent(pointer("pointerup", wanted));
  assert.deepEqual(phases(), ["start", "move", "end"]);
  near(drags[0]?.position ?? [], [0.1, 0, 0.4]);
  near(drags[1]?.position ?? [], applyInverse(BASE, wanted));
  near(drags[2]?.position ?? [], drags[1]?.position ?? []);
  assert.deepEqual(new Set(drags.map((drag) => drag.robot)), new Set(["arm"]));
});

test("grabbing beside the middle does not make the tip jump", () => {
  const { up } = basis(ORBIT);
  const beside: Vec3 = [TIP.position[0] + up[0] * 0.02, TIP.position[1] + up[1] * 0.02, TIP.position[2] + up[2] * 0.02];
  handle.claim(pointer("pointerdown", beside));
  viewport.dispatchEvent(pointer("pointermove", beside, { buttons: 1 }));
  near(drags[1]?.position ?? [], drags[0]?.position ?? []);
});

test("without Shift the target stays in the plane that faces the camera, with it on the vertical", () => {
  handle.claim(pointer("pointerdown", TIP.position));
  viewport.dispatchEvent(pointer("pointermove", [1.2, 0.3, 1.0], { buttons: 1 }));
  const free = shown.at(-1)?.target;
  assert.ok(free);
  near([dot(subtract(free, TIP.position), basis(ORBIT).forward)], [0]);
  viewport.dispatchEvent(pointer("pointermove", [1.2, 0.3, 1.0], { buttons: 1, shiftKey: true }));
  near(shown.at(-1)?.target ?? [], free);
  viewport.dispatchEvent(pointer("pointermove", [1.2, 0.3, 1.2], { buttons: 1, shiftKey: true }));
  const raised = shown.at(-1)?.target;
  assert.ok(raised);
  near([raised[0], raised[1]], [free[0], free[1]]);
  assert.ok(raised[2] > free[2] + 0.1);
});

test("a pointer that goes down elsewhere is left to the camera, as is another button", () => {
  assert.equal(handle.claim(pointer("pointerdown", [1.3, 0.5, 0.9])), false);
  assert.equal(handle.claim(pointer("pointerdown", TIP.position, { button: 2 })), false);
  assert.deepEqual(drags, []);
});

for (const [what, end] of [
  ["the pointer is cancelled", () => viewport.dispatchEvent(pointer("pointercancel", TIP.position))],
  ["the capture is lost", () => viewport.dispatchEvent(pointer("lostpointercapture", TIP.position))],
  ["the window loses the focus", () => page.window?.dispatchEvent(new Event("blur"))],
  ["the page is hidden", () => page.document?.dispatchEvent(new Event("visibilitychange"))],
  ["the page is left", () => page.window?.dispatchEvent(new Event("pagehide"))],
  ["the handle goes elsewhere", () => handle.hold(null)],
  ["the view ends", () => handle.dispose()],
] as const) {
  test(`a drag ends once when ${what}`, () => {
    handle.claim(pointer("pointerdown", TIP.position));
    end();
    end();
    assert.deepEqual(phases(), ["start", "end"]);
  });
}

test("another finger neither moves nor ends a drag", () => {
  handle.claim(pointer("pointerdown", TIP.position));
  viewport.dispatchEvent(pointer("pointermove", [1.2, 0.3, 1.0], { pointerId: 2, buttons: 1 }));
  viewport.dispatchEvent(pointer("pointerup", TIP.position, { pointerId: 2 }));
  assert.deepEqual(phases(), ["start"]);
});

test("hovering lights the handle up and leaving puts it out", () => {
  viewport.dispatchEvent(pointer("pointermove", TIP.position));
  assert.equal(shown.at(-1)?.hot, true);
  assert.equal(viewport.style.cursor, "grab");
  viewport.dispatchEvent(pointer("pointerleave", TIP.position));
  assert.equal(shown.at(-1)?.hot, false);
  assert.equal(viewport.style.cursor, "");
});
