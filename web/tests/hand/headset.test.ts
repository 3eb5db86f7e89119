import assert from "node:assert/strict";
import test from "node:test";
import { Headset } from "../../src/hand/headset.ts";
import { handOf, poseOf } from "../../src/hand/xrFrame.ts";
import { poseHindrance } from "../../src/state/status.ts";
import type { MappingInfo } from "../../src/wire.gen.ts";
import { ROBOT, TIP } from "../fixtures.ts";

const CLUTCH: MappingInfo = { ...TIP, name: "clutch", kind: "clutch", axes: [] };

function point(x: number, y: number, z: number, w = 1): DOMPointReadOnly {
  return { x, y, z, w } as DOMPointReadOnly;
}

test("forward, left and up are where the operator has them", () => {
  const { position, rotation } = poseOf({ position: point(1, 2, -3), orientation: point(0.1, 0.2, 0.3, 0.9) });
  assert.deepEqual(position, [3, -1, 2]);
  assert.deepEqual(rotation, [0.9, -0.3, -0.1, 0.2]);
});

interface Held {
  handedness?: "left" | "right";
  squeeze?: number;
  trigger?: number;
  at?: DOMPointReadOnly | null;
  guessed?: boolean;
}

/** A frame with these controllers; without any, of a telephone that is touched or not. */
function frame(controllers: Held[], touched?: boolean): XRFrame {
  const inputSources: unknown[] = controllers.map((held) => ({
    handedness: held.handedness ?? "right",
    gripSpace: held,
    gamepad: { buttons: [held.trigger ?? 0, held.squeeze ?? 0].map((value) => ({ value, pressed: value > 0.9 })) },
  }));
  if (touched === true) inputSources.push({ targetRayMode: "screen" });
  const poseAt = (at: DOMPointReadOnly, guessed: boolean): object => ({
    transform: { position: at, orientation: point(0, 0, 0) },
    emulatedPosition: guessed,
  });
  return {
    session: { inputSources, ...(touched === undefined ? {} : { interactionMode: "screen-space" }) },
    getPose: ({ at, guessed }: Held) => (at === null ? undefined : poseAt(at ?? point(0, 0, 0), guessed ?? false)),
    getViewerPose: () => poseAt(point(0, 1, 0), false),
  } as unknown as XRFrame;
}

const SPACE = {} as XRReferenceSpace;

test("the grip button enables, the trigger grips", () => {
  const hand = handOf(frame([{ squeeze: 1, trigger: 0.25, at: point(0, 0, -1) }]), SPACE, null);
  assert.deepEqual([hand?.enabled, hand?.grip, hand?.pose.position], [true, 0.25, [1, 0, 0]]);
  assert.equal(handOf(frame([{ squeeze: 0.2 }]), SPACE, null)?.enabled, false);
});

test("a controller that is not seen, or whose place is guessed, is no hand", () => {
  assert.equal(handOf(frame([{ squeeze: 1, at: null }]), SPACE, null), null);
  assert.equal(handOf(frame([{ squeeze: 1, guessed: true }]), SPACE, null), null);
});

test("the hand that squeezes leads, and no other takes over from it", () => {
  const two = frame([
    { handedness: "right", squeeze: 1, at: point(1, 0, 0) },
    { handedness: "left", squeeze: 1, at: point(-1, 0, 0) },
  ]);
  const left = [...two.session.inputSources][1] ?? null;
  assert.equal(handOf(two, SPACE, left)?.source, left);
  assert.equal(handOf(two, SPACE, null)?.source?.handedness, "right");
});

test("a telephone is the hand itself, and a finger on its screen enables", () => {
  assert.deepEqual(handOf(frame([], true), SPACE, null)?.pose.position, [0, 0, 1]);
  assert.equal(handOf(frame([], true), SPACE, null)?.enabled, true);
  assert.equal(handOf(frame([], false), SPACE, null)?.enabled, false);
  assert.equal(handOf(frame([]), SPACE, null), null);
});

test("a browser without WebXR offers nothing", async () => {
  const none = new Headset(null, { led: () => true, master: () => null, clock: () => 0, tell: () => undefined, changed: () => undefined });
  await none.detect();
  assert.equal(none.mode.value, null);
  assert.equal(none.read().deadman, false);
});

test("a control mode that follows no controller names one that does", () => {
  const said = (mapping: MappingInfo, mappings: MappingInfo[]) => poseHindrance({ ...ROBOT, mappings }, mapping);
  assert.equal(said(CLUTCH, [TIP, CLUTCH]), null);
  const { text, other } = said(TIP, [TIP, CLUTCH]) ?? {};
  assert.deepEqual([text, other], ["“Base axes” does not follow a controller; “Clutch” does.", "clutch"]);
  const drag = { ...CLUTCH, name: "pointer", kind: "drag-tip" };
  assert.match(said(drag, [drag, TIP])?.text ?? "", /^No control mode of this robot follows a controller/);
});
