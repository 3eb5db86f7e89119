/** What hangs on the camera wall: one picture large, the others small, the overview among them. Pure. */

import { CAMERA_KEYS, type CameraKey } from "../hand/axesAndActions.ts";
import { OVERVIEW, type CameraLook, type Presence } from "../view/api.ts";
import type { CameraInfo, CameraUpdate, RobotInfo } from "../wire.gen.ts";
import { fixed } from "./format.ts";

/** One picture. */
export interface Pane {
  /** `OVERVIEW`, or the camera's name. */
  readonly name: string;
  readonly label: string;
  /** What makes it large by a key, if it has one. */
  readonly key: CameraKey | "overview" | null;
  readonly large: boolean;
  /** The camera; null for the overview. */
  readonly camera: CameraInfo | null;
  /** The server's own picture is shown, in place of one that is drawn here. */
  readonly video: boolean;
  /** How it was made worse on purpose; null if it was not. */
  readonly degraded: CameraUpdate["degraded"];
  readonly zoom: number;
}

/** How the operator wants it. */
export interface Wish {
  /** Name of the large picture; one that there is not gives way. */
  readonly large: string;
  /** Without the overview. */
  readonly camerasOnly: boolean;
  /** A trainee in an exam: whatever he wishes, there are cameras only, and the server's pictures of them. */
  readonly exam: boolean;
}

/** Width and height in CSS pixels. */
export type Extent = readonly [number, number];

/** What counts of a camera's state for its picture; where its head looks is seen by itself. */
export type Head = Pick<CameraUpdate, "zoom" | "degraded">;

/** Return what counts of the cameras' state, as text. */
export function headsOf(cameras: readonly Head[]): string {
  return JSON.stringify(cameras.map(({ zoom, degraded }) => ({ zoom: Math.round(zoom * 1000) / 1000, degraded })));
}

/** Return the pictures of a robot, in the order of their keys; the overview first. */
export function panesOf(info: RobotInfo | null, now: readonly Head[], wish: Wish): Pane[] {
  const cameras = info?.cameras ?? [];
  const bare = wish.exam || (wish.camerasOnly && cameras.length > 0);
  const names = [...(bare ? [] : [OVERVIEW]), ...cameras.map((camera) => camera.name)];
  const large = names.includes(wish.large) ? wish.large : names[0];
  const overview: Pane[] = bare ? [] : [{ ...PLAIN, name: OVERVIEW, label: "Overview", key: "overview", large: large === OVERVIEW }];
  return [
    ...overview,
    ...cameras.map((camera, index): Pane => {
      const degraded = now[index]?.degraded ?? null;
      return {
        name: camera.name,
        label: camera.label,
        key: CAMERA_KEYS[index] ?? null,
        large: camera.name === large,
        camera,
        video: wish.exam || degraded !== null,
        degraded,
        zoom: now[index]?.zoom ?? 1,
      };
    }),
  ];
}

/** Return the name of the picture after the large one; the first follows the last. */
export function nextOf(panes: readonly Pane[]): string {
  const at = panes.findIndex((pane) => pane.large);
  return panes[(at + 1) % Math.max(1, panes.length)]?.name ?? OVERVIEW;
}

const PLAIN = { camera: null, video: false, degraded: null, zoom: 1 } as const;

/** Return what is to be drawn of these pictures, where each is shown so large (CSS pixels of so many real ones). */
export function looksOf(panes: readonly Pane[], extents: ReadonlyMap<string, Extent>, ratio: number): CameraLook[] {
  return panes.flatMap(({ name, camera, video, zoom, large }) => {
    const extent = extents.get(name);
    if (camera === null || video || extent === undefined) return [];
    const [width, height] = resolution(camera, extent, ratio);
    return [{ id: name, place: camera.place, fov: camera.fov, zoom, width, height, large }];
  });
}

/** Return how the overview is shown. */
export function presenceOf(panes: readonly Pane[]): Presence {
  const overview = panes.find((pane) => pane.camera === null);
  if (overview === undefined) return "hidden";
  return overview.large ? "large" : "small";
}

/** Return as many pixels as a camera has, or fewer where fewer can be seen; its form stays. */
export function resolution({ width, height }: Pick<CameraInfo, "width" | "height">, extent: Extent, ratio: number): [number, number] {
  const share = Math.min(1, Math.min(extent[0] / width, extent[1] / height) * ratio);
  return [Math.max(2, Math.round(width * share)), Math.max(2, Math.round(height * share))];
}

/** A picture that is younger than this (s) is as good as a new one. */
const NEW = 0.7;

/** Return how old a picture is, in words; empty for one that is new, or of which that is not known. */
export function ageWords(tick: number | null, now: number | null, timestep: number): string {
  const seconds = tick === null || now === null ? 0 : (now - tick) * timestep;
  if (seconds < NEW) return "";
  return seconds < 9.95 ? `${fixed(seconds, 1)} s old` : `${Math.round(seconds)} s old`;
}

/** Whether a camera's head can be aimed from here. */
export function aimable(camera: CameraInfo | null): boolean {
  return camera !== null && (camera.pan !== null || camera.tilt !== null || camera.zoom > 1);
}

/** Where a camera's head is, or shall be. */
export type Heading = Pick<CameraUpdate, "pan" | "tilt" | "zoom">;

/** Return a heading within what the head can do. */
export function bounded(camera: CameraInfo, { pan, tilt, zoom }: Heading): Heading {
  return {
    pan: clamped(pan, camera.pan ?? [0, 0]),
    tilt: clamped(tilt, camera.tilt ?? [0, 0]),
    zoom: clamped(zoom, [1, camera.zoom]),
  };
}

/** Return the heading after the picture was dragged, as if it were taken hold of: `height` is that of the picture, in pixels. */
export function dragged(camera: CameraInfo, from: Heading, dx: number, dy: number, height: number): Heading {
  const angle = (2 * Math.atan(Math.tan(camera.fov / 2) / from.zoom)) / Math.max(height, 1);
  return bounded(camera, { ...from, pan: from.pan + dx * angle, tilt: from.tilt + dy * angle });
}

function clamped(value: number, [low, high]: readonly [number, number]): number {
  return Math.min(Math.max(value, low), high);
}
