/** Reads one frame of WebXR: the pose of the controller or phone, and its buttons. Pure. */

import { add, conjugate, multiply, subtract } from "../view/math.ts";
import { rigid } from "../view/poseStore.ts";
import type { Pose } from "../wire.gen.ts";

/** A controller or phone in the operator's hand. */
export interface XrHand {
  readonly pose: Pose;
  /** The operator enables motion: by the grip button of a controller or a finger on the phone's screen. */
  readonly enabled: boolean;
  /** Travel of the trigger, 0 to 1; null without one. */
  readonly grip: number | null;
  /** The controller; null for a phone. */
  readonly source: XRInputSource | null;
}

type Transform = Pick<XRRigidTransform, "position" | "orientation">;

const TRIGGER = 0;
const SQUEEZE = 1;
const PRESSED = 0.5;

/** Return a pose in our axes (x forward, y left, z up); WebXR's x is right, y up and z backward. */
export function poseOf({ position: p, orientation: q }: Transform): Pose {
  const along = ({ x, y, z }: DOMPointReadOnly): [number, number, number] => [0 - z, 0 - x, y];
  return { position: along(p), rotation: [q.w, ...along(q)] };
}

/** Return the pose `from` after the motion of the hand from `then` to `now`. */
export function carried(from: Pose, then: Pose, now: Pose): Pose {
  const [start, before, after] = [rigid(from), rigid(then), rigid(now)];
  const turn = multiply(after.rotation, conjugate(before.rotation));
  return {
    position: [...add(start.position, subtract(after.position, before.position))],
    rotation: [...multiply(turn, start.rotation)],
  };
}

/**
 * Return the hand in this frame, or null while it is not tracked.
 *
 * @param kept The controller that drives: no other one takes over while it is held.
 */
export function handOf(frame: XRFrame, space: XRReferenceSpace, kept: XRInputSource | null): XrHand | null {
  const sources = [...frame.session.inputSources];
  const controllers = sources.filter((source) => source.gripSpace !== undefined && source.gamepad !== undefined);
  const source =
    controllers.find((each) => each === kept) ??
    controllers.find((each) => pulled(each, SQUEEZE) > PRESSED) ??
    controllers.find((each) => each.handedness === "right") ??
    controllers[0];
  return source === undefined ? phone(frame, space, sources) : controller(frame, space, source);
}

/** Return whether the session runs on a phone, which shows the page on its own screen. */
export function isPhone(session: XRSession): boolean {
  return session.interactionMode === "screen-space";
}

function controller(frame: XRFrame, space: XRReferenceSpace, source: XRInputSource): XrHand | null {
  const pose = source.gripSpace === undefined ? undefined : frame.getPose(source.gripSpace, space);
  if (!tracked(pose)) return null;
  const grip = Math.max(0, Math.min(1, pulled(source, TRIGGER)));
  return { pose: poseOf(pose.transform), enabled: pulled(source, SQUEEZE) > PRESSED, grip, source };
}

function phone(frame: XRFrame, space: XRReferenceSpace, sources: readonly XRInputSource[]): XrHand | null {
  if (!isPhone(frame.session)) return null;
  const pose = frame.getViewerPose(space);
  if (!tracked(pose)) return null;
  const touched = sources.some((source) => source.targetRayMode === "screen");
  return { pose: poseOf(pose.transform), enabled: touched, grip: null, source: null };
}

/** Return whether a pose is tracked, not estimated. */
function tracked<T extends XRPose>(pose: T | undefined | null): pose is T {
  return pose !== undefined && pose !== null && !pose.emulatedPosition;
}

function pulled(source: XRInputSource, index: number): number {
  const button = source.gamepad?.buttons[index];
  return button === undefined ? 0 : button.pressed ? Math.max(button.value, 1) : button.value;
}
