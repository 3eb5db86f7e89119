/** Aims a camera's head: steps and drags add up to where it shall look, which is told the cell now and then. */

import type { Aim } from "../hand/axesAndActions.ts";
import { bounded, dragged, type Heading } from "../state/cameraWall.ts";
import type { CameraInfo } from "../wire.gen.ts";

/** Milliseconds between two commands, and after which the head has surely arrived where it was sent. */
const EVERY = 60;
const UNDERWAY = 2000;
/** A step of the keys: radians without zoom, and how many times nearer. */
const STEP = 0.06;
const NEARER = 1.12;
const WHEEL_RATE = 0.0015;

const STEPS: Readonly<Record<Aim, readonly [pan: number, tilt: number, zoom: number]>> = {
  "pan-left": [STEP, 0, 1],
  "pan-right": [-STEP, 0, 1],
  "tilt-up": [0, STEP, 1],
  "tilt-down": [0, -STEP, 1],
  "zoom-in": [0, 0, NEARER],
  "zoom-out": [0, 0, 1 / NEARER],
};

/** A camera in front of the operator. */
export interface Aimed {
  readonly robot: string;
  readonly camera: CameraInfo;
  readonly now: Heading;
}

export class Aimer {
  private asked: { readonly id: string; readonly heading: Heading; readonly at: number } | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private sentAt = -Infinity;

  constructor(
    /** The camera that is shown large, if it can be aimed and may be. */
    private readonly aimed: () => Aimed | null,
    private readonly send: (robot: string, camera: string, heading: Heading) => void,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** One step of a key. */
  step(aim: Aim): void {
    const [pan, tilt, nearer] = STEPS[aim];
    this.lead((from) => ({ pan: from.pan + pan / from.zoom, tilt: from.tilt + tilt / from.zoom, zoom: from.zoom * nearer }));
  }

  /** The picture is dragged by so many pixels; it is so many high. */
  drag(dx: number, dy: number, height: number): void {
    this.lead((from, camera) => dragged(camera, from, dx, dy, height));
  }

  /** The wheel is turned by so many pixels; up is nearer. */
  wheel(pixels: number): void {
    const step = Math.max(-300, Math.min(300, pixels));
    this.lead((from) => ({ ...from, zoom: from.zoom * Math.exp(-step * WHEEL_RATE) }));
  }

  private lead(change: (from: Heading, camera: CameraInfo) => Heading): void {
    const aimed = this.aimed();
    if (aimed === null) return;
    const { robot, camera, now } = aimed;
    const id = `${robot}/${camera.name}`;
    const fresh = this.asked?.id === id && this.clock() - this.asked.at < UNDERWAY;
    const from = fresh && this.asked !== null ? this.asked.heading : now;
    this.asked = { id, heading: bounded(camera, change(from, camera)), at: this.clock() };
    this.tell(robot, camera.name);
  }

  /** Tell the cell at once, or a moment after it was last told. */
  private tell(robot: string, camera: string): void {
    if (this.timer !== null) return;
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.sentAt = this.clock();
        if (this.asked?.id === `${robot}/${camera}`) this.send(robot, camera, this.asked.heading);
      },
      Math.max(0, this.sentAt + EVERY - this.clock()),
    );
  }
}
