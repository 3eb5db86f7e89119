/** The pictures of the camera wall: one large, the others small, the 3D overview among them. Pure. */

import { CAMERA_KEYS, type CameraKey } from "../hand/axesAndActions.ts";
import { texts } from "../language/language.ts";
import { OVERVIEW, type CameraLook, type Presence } from "../view/api.ts";
import type { CameraInfo, CameraUpdate, RobotInfo } from "../wire.gen.ts";
import { fixed } from "./format.ts";

/** One picture. */
export interface Pane {
  /** `OVERVIEW`, or the camera's name. */
  readonly name: string;
  readonly label: string;
  /** The key action that makes it large, if there is one. */
  readonly key: CameraKey | "overview" | null;
  readonly large: boolean;
  /** The camera; null for the overview. */
  readonly camera: CameraInfo | null;
  /** The picture comes from the server instead of being drawn here. */
  readonly video: boolean;
  /** How it is degraded; null if it is not. */
  readonly degraded: CameraUpdate["degraded"];
  readonly zoom: number;
}

/** The operator's choice of pictures. */
export interface WallChoice {
  /** Name of the large picture; the first one is shown if it does not exist. */
  readonly large: string;
  /** Without the overview. */
  readonly camerasOnly: boolean;
  /** A trainee in an exam: cameras only, with the server's pictures, whatever else is chosen. */
  readonly exam: boolean;
}

/** Width and height in CSS pixels. */
export type Extent = readonly [number, number];

/** The part of a camera's state that decides how its picture is shown. */
export type CameraState = Pick<CameraUpdate, "zoom" | "degraded">;

/** Return that part of the cameras' state as text, so that equal states compare equal. */
export function cameraStates(cameras: readonly CameraState[]): string {
  return JSON.stringify(cameras.map(({ zoom, degraded }) => ({ zoom: Math.round(zoom * 1000) / 1000, degraded })));
}

const OVERVIEW_PANE = { name: OVERVIEW, key: "overview", camera: null, video: false, degraded: null, zoom: 1 } as const;

/** Return the pictures of a robot, in the order of their keys; the overview first. */
export function panesOf(info: RobotInfo | null, now: readonly CameraState[], choice: WallChoice): Pane[] {
  const cameras = info?.cameras ?? [];
  const camerasOnly = choice.exam || (choice.camerasOnly && cameras.length > 0);
  const names = [...(camerasOnly ? [] : [OVERVIEW]), ...cameras.map((camera) => camera.name)];
  const large = names.includes(choice.large) ? choice.large : names[0];
  const label = texts().view.overview;
  const overview: Pane[] = camerasOnly ? [] : [{ ...OVERVIEW_PANE, label, large: large === OVERVIEW }];
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
        video: choice.exam || degraded !== null,
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

/** Return the cameras to draw for these pictures, each at its extent (CSS pixels, `ratio` real pixels each). */
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

/** Return the camera's resolution, or a smaller one of the same shape where fewer pixels can be seen. */
export function resolution({ width, height }: Pick<CameraInfo, "width" | "height">, extent: Extent, ratio: number): [number, number] {
  const share = Math.min(1, Math.min(extent[0] / width, extent[1] / height) * ratio);
  return [Math.max(2, Math.round(width * share)), Math.max(2, Math.round(height * share))];
}

/** Age from which it is shown, s. */
const SHOWN_AGE_S = 0.7;

/** Return the age of a picture as text; empty for a new one and for one of unknown age. */
export function ageText(tick: number | null, now: number | null, timestep: number): string {
  const seconds = tick === null || now === null ? 0 : (now - tick) * timestep;
  if (seconds < SHOWN_AGE_S) return "";
  return texts().cameras.age(fixed(seconds, seconds < 9.95 ? 1 : 0));
}

/** Return whether a camera has a head that can be aimed, or a zoom. */
export function aimable(camera: CameraInfo | null): boolean {
  return camera !== null && (camera.pan !== null || camera.tilt !== null || camera.zoom > 1);
}

/** Direction and zoom of a camera's head. */
export type Heading = Pick<CameraUpdate, "pan" | "tilt" | "zoom">;

/** Return a heading clamped to the limits of the head. */
export function bounded(camera: CameraInfo, { pan, tilt, zoom }: Heading): Heading {
  return {
    pan: clamped(pan, camera.pan ?? [0, 0]),
    tilt: clamped(tilt, camera.tilt ?? [0, 0]),
    zoom: clamped(zoom, [1, camera.zoom]),
  };
}

/** Return the heading after the picture was dragged by some pixels; `height` is the picture's, in pixels. */
export function dragged(camera: CameraInfo, from: Heading, dx: number, dy: number, height: number): Heading {
  const angle = (2 * Math.atan(Math.tan(camera.fov / 2) / from.zoom)) / Math.max(height, 1);
  return bounded(camera, { ...from, pan: from.pan + dx * angle, tilt: from.tilt + dy * angle });
}

function clamped(value: number, [low, high]: readonly [number, number]): number {
  return Math.min(Math.max(value, low), high);
}
