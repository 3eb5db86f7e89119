/** Aims a camera's head: steps and drags add up to a heading, which is sent to the cell at intervals. */

import type { Aim } from "../hand/axesAndActions.ts";
import { bounded, dragged, type Heading } from "../state/cameraWall.ts";
import type { CameraInfo } from "../wire.gen.ts";

/** Time between two commands, and time after which the head has arrived, ms. */
const SEND_EVERY_MS = 60;
const ARRIVED_AFTER_MS = 2000;
/** One step of the keys: rad without zoom, and the zoom factor. */
const STEP_RAD = 0.06;
const ZOOM_STEP = 1.12;
/** Exponent of the zoom per pixel of the wheel. */
const ZOOM_PER_PIXEL = 0.0015;

const STEPS: Readonly<Record<Aim, readonly [pan: number, tilt: number, zoom: number]>> = {
  "pan-left": [STEP_RAD, 0, 1],
  "pan-right": [-STEP_RAD, 0, 1],
  "tilt-up": [0, STEP_RAD, 1],
  "tilt-down": [0, -STEP_RAD, 1],
  "zoom-in": [0, 0, ZOOM_STEP],
  "zoom-out": [0, 0, 1 / ZOOM_STEP],
};

/** The camera that is aimed, and its heading now. */
export interface AimedCamera {
  readonly robot: string;
  readonly camera: CameraInfo;
  readonly now: Heading;
}

export class CameraAimer {
  private asked: { readonly id: string; readonly heading: Heading; readonly at: number } | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private sentAt = -Infinity;

  constructor(
    /** Returns the camera that is shown large, if this page may aim it. */
    private readonly aimed: () => AimedCamera | null,
    private readonly send: (robot: string, camera: string, heading: Heading) => void,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** One step of a key. */
  step(aim: Aim): void {
    const [pan, tilt, zoom] = STEPS[aim];
    this.change((from) => ({ pan: from.pan + pan / from.zoom, tilt: from.tilt + tilt / from.zoom, zoom: from.zoom * zoom }));
  }

  /** The picture, `height` pixels high, is dragged by some pixels. */
  drag(dx: number, dy: number, height: number): void {
    this.change((from, camera) => dragged(camera, from, dx, dy, height));
  }

  /** The wheel is turned by some pixels; up zooms in. */
  wheel(pixels: number): void {
    const step = Math.max(-300, Math.min(300, pixels));
    this.change((from) => ({ ...from, zoom: from.zoom * Math.exp(-step * ZOOM_PER_PIXEL) }));
  }

  private change(to: (from: Heading, camera: CameraInfo) => Heading): void {
    const aimed = this.aimed();
    if (aimed === null) return;
    const { robot, camera, now } = aimed;
    const id = `${robot}/${camera.name}`;
    const fresh = this.asked?.id === id && this.clock() - this.asked.at < ARRIVED_AFTER_MS;
    const from = fresh && this.asked !== null ? this.asked.heading : now;
    this.asked = { id, heading: bounded(camera, to(from, camera)), at: this.clock() };
    this.sendSoon(robot, camera.name);
  }

  /** Send the heading now, or a moment after the last one. */
  private sendSoon(robot: string, camera: string): void {
    if (this.timer !== null) return;
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.sentAt = this.clock();
        if (this.asked?.id === `${robot}/${camera}`) this.send(robot, camera, this.asked.heading);
      },
      Math.max(0, this.sentAt + SEND_EVERY_MS - this.clock()),
    );
  }
}
