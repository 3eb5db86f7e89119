/** The messages between the page and the painter, which draws in a worker where the browser allows it. */

import type { Closeness } from "../state/clearance.ts";
import type { BodyLook, GeomLook, Place } from "../wire.gen.ts";
import type { MeshData, ViewOptions } from "./api.ts";
import type { Vec3 } from "./math.ts";

/** The picture's size in CSS pixels, and the real pixels per CSS pixel. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
}

/** The pose of the overview's camera. */
export interface CameraPose {
  readonly eye: Vec3;
  readonly right: Vec3;
  readonly up: Vec3;
  readonly forward: Vec3;
  readonly distance: number;
}

/** A robot's frames. */
export interface RobotLook {
  readonly name: string;
  readonly base: Place;
  readonly tip: Place;
  readonly frames: readonly Place[];
}

/** The part of a scene that the painter needs. */
export interface SceneLook {
  readonly bodies: readonly BodyLook[];
  readonly geoms: readonly GeomLook[];
  readonly robots: readonly RobotLook[];
}

/** Poses of all bodies, a bit for each body asleep, and contacts as rows of x, y, z and force. */
export interface Poses {
  readonly tick: number;
  readonly values: Float32Array;
  readonly asleep: Uint8Array;
  readonly contacts: Float32Array;
  readonly near: readonly ClearanceLook[];
  /** There is a visible change. */
  readonly changed: boolean;
}

/** A robot's bodies at the end of its move: their numbers in the scene, and a pose for each. */
export interface GhostLook {
  readonly bodies: readonly number[];
  readonly values: Float32Array;
}

/** The nearest pair of a robot's arm and an obstacle: a line between them in the world, and its label. */
export interface ClearanceLook {
  /** Number of the robot in its scene. */
  readonly robot: number;
  readonly from: Vec3;
  readonly to: Vec3;
  readonly closeness: Closeness;
  /** It may be touched. */
  readonly gently: boolean;
  readonly text: string;
  /** Free directions of the tip: +x, +y, +z, -x, -y, -z in the axes of its base; empty if all are free. */
  readonly ways: readonly boolean[];
}

/** The handle at a tip: at rest, under the pointer (hot), or dragged to a point of the world. */
export interface HandleLook {
  readonly tip: Place;
  readonly hot: boolean;
  readonly target: Vec3 | null;
}

/** An arrow between two points of the world; `size` is that of the objects around it, m. */
export interface ArrowLook {
  readonly from: Vec3;
  readonly to: Vec3;
  readonly size: number;
}

/** A robot's camera: looks along -z of its frame, x right, y up. */
export interface CameraLook {
  readonly id: string;
  readonly place: Place;
  /** Vertical angle of view without zoom, rad. */
  readonly fov: number;
  readonly zoom: number;
  /** Pixels to draw: at most those of the camera, and of its place on the page. */
  readonly width: number;
  readonly height: number;
  readonly large: boolean;
}

/** A picture of a robot's camera: red, green, blue, opacity; top row first. */
export interface CameraFrame {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** The size of the overview beside the cameras. */
export type Presence = "large" | "small" | "hidden";

/** Middle and radius of the objects that cast shadows, m. */
export interface Surroundings {
  readonly middle: Vec3;
  readonly radius: number;
}

/** Pictures of each view in the last second, by its id. */
export type ViewRates = Readonly<Record<string, number>>;

/** Id of the overview among the views. */
export const OVERVIEW = "overview";

export type ToPainter =
  | { readonly type: "size"; readonly size: PictureSize }
  | { readonly type: "scene"; readonly scene: SceneLook }
  | { readonly type: "surroundings"; readonly surroundings: Surroundings }
  | { readonly type: "mesh"; readonly hash: string; readonly mesh: MeshData }
  | { readonly type: "poses"; readonly poses: Poses }
  | { readonly type: "ghosts"; readonly ghosts: readonly GhostLook[] }
  | { readonly type: "camera"; readonly camera: CameraPose }
  | { readonly type: "options"; readonly options: ViewOptions }
  | { readonly type: "driven"; readonly driven: boolean }
  | { readonly type: "cameras"; readonly cameras: readonly CameraLook[]; readonly overview: Presence }
  | { readonly type: "handle"; readonly handle: HandleLook | null }
  | { readonly type: "arrow"; readonly arrow: ArrowLook | null };

export type FromPainter =
  | { readonly type: "ready"; readonly software: boolean }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "seen" }
  | { readonly type: "applied"; readonly tick: number; readonly shown: number }
  | { readonly type: "frame"; readonly frame: CameraFrame }
  | { readonly type: "drawn"; readonly fps: number; readonly drawMs: number; readonly scale: number; readonly views: ViewRates }
  | { readonly type: "problem"; readonly problem: "" | "crashed" | "contextLost" };

/** Where drawing happens: in a worker, or within the page, where it must leave more time for other work. */
export type Where = "worker" | "page";

/** The first message to a worker; the others follow it. */
export interface Start {
  readonly type: "start";
  readonly canvas: OffscreenCanvas;
  readonly size: PictureSize;
  readonly role: Role;
}

/** "main": the view of the cell; "side": a view beside it, which takes less of the drawing time. */
export type Role = "main" | "side";

/** The drawing bundle as loaded into the page itself. */
export interface DrawingModule {
  drawHere(
    canvas: HTMLCanvasElement,
    size: PictureSize,
    tell: (message: FromPainter) => void,
    role: Role,
  ): { receive(message: ToPainter): void; dispose(): void };
}
