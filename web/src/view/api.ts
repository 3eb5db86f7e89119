/** The interface of the 3D view to the page. */

import type { Scene, Update } from "../wire.gen.ts";
import type { ArrowLook, CameraFrame, CameraLook, Presence, ViewRates } from "./painterProtocol.ts";

export type { CameraFrame, CameraLook, Presence } from "./painterProtocol.ts";
export { OVERVIEW } from "./painterProtocol.ts";

/** Marks that are drawn beside the shapes. */
export interface ViewOptions {
  /** Axes at the base and the tip of each robot. */
  frames: boolean;
  /** Frames along the chain of each robot (Denavit–Hartenberg). */
  chain: boolean;
  /** The nearest obstacle, and the free directions of the tip. */
  clearance: boolean;
  /** Marks where bodies touch, sized by force. */
  contacts: boolean;
  /** The collision shapes, instead of the visible ones. */
  touched: boolean;
  /** Small labels at loose objects. */
  names: boolean;
}

/** Figures about drawing. */
export interface ViewStats {
  /** Pictures drawn in the last second; few when nothing moves. */
  fps: number;
  /** Time to draw one picture, until it is complete, ms. */
  drawMs: number;
  /** Share of the full resolution in use, 0.5 to 1. */
  scale: number;
  /** The pictures are drawn without a graphics card. */
  software: boolean;
  /** A picture of a cell has been drawn. */
  seen: boolean;
  /** Newest tick whose poses are in the scene graph; -1 before the first. */
  tick: number;
  /** Newest tick whose picture is shown; -1 before the first. */
  shown: number;
  /** Pictures of each view in the last second: the overview and the robots' cameras. */
  views: ViewRates;
  /** A sentence about missing parts of the picture, or empty. */
  problem: string;
}

/** A drag of the tip: its target in the robot's base frame, m. */
export interface Drag {
  phase: "start" | "move" | "end";
  robot: string;
  position: [number, number, number];
}

/** The pose of a body in the world; rotation is a quaternion wxyz. */
export interface BodyPose {
  position: [number, number, number];
  rotation: [number, number, number, number];
}

/** A triangle mesh: three numbers per vertex, three per face. */
export interface MeshData {
  vertices: Float32Array;
  faces: Uint32Array;
}

/** The side to look from. */
export type Look = "home" | "front" | "side" | "top" | "tip";

export interface View {
  /** Fills its parent. */
  readonly element: HTMLElement;
  /** Show another world; `mesh` fetches a mesh by the hash of its content. */
  setScene(scene: Scene, mesh: (hash: string) => Promise<MeshData>): void;
  /** Show the poses of an update; the newest one wins. */
  update(update: Update): void;
  setOptions(options: Partial<ViewOptions>): void;
  look(from: Look): void;
  /** Show a handle at this robot's tip that can be dragged; null for none. */
  setDraggable(robot: string | null): void;
  /** Tell that a robot moves: pictures that take long wait until it rests. */
  setDriven(driven: boolean): void;
  /** Draw an arrow in the world, or none. */
  setArrow(arrow: ArrowLook | null): void;
  /** Draw these cameras, beside the overview or in place of it. */
  setCameras(cameras: readonly CameraLook[], overview: Presence): void;
  /** Move the camera along with a robot that drives; null for none. */
  follow(robot: string | null): void;
  /** Dim an outdated picture. */
  setDimmed(dimmed: boolean): void;
  onStats(listener: (stats: ViewStats) => void): void;
  onDrag(listener: (drag: Drag) => void): void;
  /** Listen to the pictures of the robots' cameras. */
  onFrame(listener: (frame: CameraFrame) => void): void;
  /** Return the eye's rotation in a robot's base frame: x right, y up, z towards the operator; null before it is known. */
  eyeIn(robot: string): [number, number, number, number] | null;
  /** Return the newest pose of a body by name; null before it is known. */
  bodyPose(name: string): BodyPose | null;
  dispose(): void;
}
