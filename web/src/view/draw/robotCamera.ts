/** A robot's camera: draws the world from its place on the robot, and reads the picture back when it is complete. */

import { Matrix4, PerspectiveCamera, SRGBColorSpace, Vector3, WebGLRenderTarget } from "three";
import type { Scene as World, WebGLRenderer } from "three";
import type { CameraFrame, CameraLook } from "../painterProtocol.ts";
import { matrixOf } from "./poseMatrix.ts";
import type { Scenery } from "./scenery.ts";
import type { Sky } from "./sky.ts";

const DEGREE = Math.PI / 180;
/** Near plane, m: anything nearer is inside the housing. */
const NEAR_PLANE_M = 0.01;
const FAR_PLANE_M = 80;
const BYTES_PER_PIXEL = 4;

export class RobotCamera {
  private readonly camera = new PerspectiveCamera(60, 1, NEAR_PLANE_M, FAR_PLANE_M);
  private readonly target: WebGLRenderTarget;
  private place = new Matrix4();

  constructor(private look: CameraLook, smooth: boolean) {
    this.target = new WebGLRenderTarget(1, 1, { samples: smooth ? 4 : 0 });
    // Marked as a headset's target, so that the shaders encode colours as for a screen.
    this.target.texture.colorSpace = SRGBColorSpace;
    Object.assign(this.target, { isXRRenderTarget: true });
    this.target.texture.internalFormat = "RGBA8"; // so that colours are not encoded twice
    this.camera.matrixAutoUpdate = false;
    this.set(look);
  }

  set(look: CameraLook): void {
    this.look = look;
    this.place = matrixOf(look.place);
  }

  /** Draw a picture, at a share of the camera's own resolution. */
  shoot(renderer: WebGLRenderer, world: World, scenery: Scenery, sky: Sky, scale: number): void {
    const [width, height] = [Math.max(1, Math.round(this.look.width * scale)), Math.max(1, Math.round(this.look.height * scale))];
    this.target.setSize(width, height);
    this.aim(scenery, sky);
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(world, this.camera);
    renderer.setRenderTarget(null);
  }

  /** Return the last picture, top row first, once the graphics driver has finished it. */
  async develop(renderer: WebGLRenderer): Promise<CameraFrame> {
    const { width, height } = this.target;
    const { id } = this.look;
    const rows = new Uint8Array(width * height * BYTES_PER_PIXEL);
    await renderer.readRenderTargetPixelsAsync(this.target, 0, 0, width, height, rows);
    return { id, width, height, pixels: upright(rows, width * BYTES_PER_PIXEL) };
  }

  dispose(): void {
    this.target.dispose();
  }

  private aim(scenery: Scenery, sky: Sky): void {
    const { camera, look } = this;
    camera.matrix.multiplyMatrices(scenery.matrixOf(look.place.body), this.place);
    camera.matrix.decompose(camera.position, camera.quaternion, camera.scale);
    camera.matrixWorldNeedsUpdate = true;
    const tall = Math.tan(look.fov / 2) / Math.max(look.zoom, 1);
    camera.fov = (2 * Math.atan(tall)) / DEGREE;
    camera.aspect = look.width / look.height;
    camera.updateProjectionMatrix();
    const [right, up, back] = [new Vector3(), new Vector3(), new Vector3()];
    camera.matrix.extractBasis(right, up, back);
    sky.aim({ right: right.toArray(), up: up.toArray(), forward: back.negate().toArray() }, tall * camera.aspect, tall);
  }
}

/** Return the rows in opposite order: the graphics driver puts the lowest one first. */
export function upright(rows: Uint8Array, stride: number): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(rows.length);
  for (let from = 0, to = rows.length - stride; to >= 0; from += stride, to -= stride) {
    pixels.set(rows.subarray(from, from + stride), to);
  }
  return pixels;
}
