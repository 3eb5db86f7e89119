/** What the page sees of the 3D view. */

import type { Scene, Update } from "../wire.gen.ts";
import type { ArrowLook, CameraFrame, CameraLook, Presence, ViewRates } from "./painterProtocol.ts";

export type { CameraFrame, CameraLook, Presence } from "./painterProtocol.ts";
export { OVERVIEW } from "./painterProtocol.ts";

/** What is drawn beside the shapes themselves. */
export interface ViewOptions {
  /** Axes at the base and the tip of each robot. */
  frames: boolean;
  /** Frames along the chain of each robot (Denavit–Hartenberg). */
  chain: boolean;
  /** The nearest pair of an arm and something, and which ways the tip can go. */
  clearance: boolean;
  /** Marks where bodies touch, sized by force. */
  contacts: boolean;
  /** The shapes the physics touches with, instead of those meant to be seen. */
  touched: boolean;
  /** Small labels at loose objects. */
  names: boolean;
}

/** How drawing goes. */
export interface ViewStats {
  /** Pictures drawn in the last second; few when nothing moves. */
  fps: number;
  /** Milliseconds that one picture takes, until it is really done. */
  drawMs: number;
  /** Share of the full resolution in use, 0.5 to 1. */
  scale: number;
  /** The pictures are drawn without a graphics card. */
  software: boolean;
  /** A picture of a cell is there. */
  seen: boolean;
  /** Newest tick whose poses are in the scene graph; -1 before the first. */
  tick: number;
  /** Newest tick of which the operator sees the picture; -1 before the first. */
  shown: number;
  /** Pictures of each view in the last second: the overview and the robots' cameras. */
  views: ViewRates;
  /** Empty, or a sentence about why something cannot be seen. */
  problem: string;
}

/** The tip is dragged: where it is wanted, in the robot's base frame, metres. */
export interface Drag {
  phase: "start" | "move" | "end";
  robot: string;
  position: [number, number, number];
}

/** Where a body is in the world; rotation is a quaternion wxyz. */
export interface BodyPose {
  position: [number, number, number];
  rotation: [number, number, number, number];
}

/** A triangle mesh: three numbers a vertex, three a face. */
export interface MeshData {
  vertices: Float32Array;
  faces: Uint32Array;
}

/** From where to look. */
export type Look = "home" | "front" | "side" | "top" | "tip";

export interface View {
  /** Fills its parent. */
  readonly element: HTMLElement;
  /** Show another world; `mesh` fetches a mesh by the hash of its content. */
  setScene(scene: Scene, mesh: (hash: string) => Promise<MeshData>): void;
  /** Take in where everything is now; the newest one wins. */
  update(update: Update): void;
  setOptions(options: Partial<ViewOptions>): void;
  look(from: Look): void;
  /** Show a handle at this robot's tip that can be dragged; null for none. */
  setDraggable(robot: string | null): void;
  /** A robot is driven: pictures that take long wait until it is not. */
  setDriven(driven: boolean): void;
  /** Draw an arrow in the world, or none. */
  setArrow(arrow: ArrowLook | null): void;
  /** Draw these cameras too, beside the overview or in place of it. */
  setCameras(cameras: readonly CameraLook[], overview: Presence): void;
  /** Have the eye go along with a robot that drives about; null for none. */
  follow(robot: string | null): void;
  /** Make it plain that the picture is old. */
  setDimmed(dimmed: boolean): void;
  onStats(listener: (stats: ViewStats) => void): void;
  onDrag(listener: (drag: Drag) => void): void;
  /** Hear of each picture of a robot's camera. */
  onFrame(listener: (frame: CameraFrame) => void): void;
  /** How the operator's eye is turned in a robot's base frame: x right, y up, z towards him; null before it is known. */
  eyeIn(robot: string): [number, number, number, number] | null;
  /** Newest pose of a body by name; null before it is known. */
  bodyPose(name: string): BodyPose | null;
  dispose(): void;
}
