/** The handle at a tip: a ring and a dot of constant size on the screen, and a thin line to the target of a drag. */

import { BufferAttribute, BufferGeometry, CanvasTexture, Group, Line, LineBasicMaterial, Matrix4, Sprite, SpriteMaterial, SRGBColorSpace } from "three";
import type { HandleLook } from "../painterProtocol.ts";
import { AMBER } from "./viewColours.ts";
import { matrixOf } from "./poseMatrix.ts";
import type { Scenery } from "./scenery.ts";
import { makeCanvas, penOf } from "./labels.ts";

/** Size of the ring's texture, pixels. */
const TEXTURE_PX = 128;
/** Width on the screen at rest and under the pointer, CSS pixels. */
const WIDTH_PX = { calm: 34, hot: 42 };

export class TipHandleShape {
  readonly root = new Group();
  private readonly calm = ring("rgba(240, 166, 58, 0.95)", 0.06);
  private readonly hot = ring("#ffc870", 0.085);
  private readonly tip = new Sprite(this.calm);
  private readonly aim = new Sprite(this.hot);
  private readonly line: Line<BufferGeometry, LineBasicMaterial>;
  private look: HandleLook | null = null;
  private pixel = 0.002;

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
    this.line = new Line(geometry, new LineBasicMaterial({ color: AMBER, depthTest: false, toneMapped: false }));
    this.line.frustumCulled = false;
    this.line.renderOrder = 11;
    this.tip.renderOrder = 12;
    this.aim.renderOrder = 12;
    this.root.add(this.tip, this.aim, this.line);
    this.root.visible = false;
  }

  set(look: HandleLook | null, scenery: Scenery): void {
    this.look = look;
    this.follow(scenery);
    this.resize(this.pixel);
  }

  follow(scenery: Scenery): void {
    const { look } = this;
    this.root.visible = look !== null && scenery.placed(look.tip.body);
    if (look === null) return;
    AT.multiplyMatrices(scenery.matrixOf(look.tip.body), matrixOf(look.tip));
    this.tip.position.setFromMatrixPosition(AT);
    const dragged = look.target !== null;
    this.aim.visible = dragged;
    this.line.visible = dragged;
    if (look.target === null) return;
    this.aim.position.set(...look.target);
    const ends = this.line.geometry.getAttribute("position");
    ends.setXYZ(0, this.tip.position.x, this.tip.position.y, this.tip.position.z);
    ends.setXYZ(1, ...look.target);
    ends.needsUpdate = true;
  }

  resize(pixel: number): void {
    this.pixel = pixel;
    const hot = this.look?.hot ?? false;
    const dragged = this.look !== null && this.look.target !== null;
    this.tip.material = hot && !dragged ? this.hot : this.calm;
    const width = (hot && !dragged ? WIDTH_PX.hot : WIDTH_PX.calm) * pixel;
    this.tip.scale.set(width, width, 1);
    this.aim.scale.set(WIDTH_PX.hot * pixel, WIDTH_PX.hot * pixel, 1);
  }

  dispose(): void {
    for (const material of [this.calm, this.hot]) {
      material.map?.dispose();
      material.dispose();
    }
    this.line.geometry.dispose();
    this.line.material.dispose();
  }
}

const AT = new Matrix4();

/** Return a ring with a dot in it; `wide` is the line's width as a share of the texture. */
function ring(colour: string, wide: number): SpriteMaterial {
  const canvas = makeCanvas();
  canvas.width = TEXTURE_PX;
  canvas.height = TEXTURE_PX;
  const pen = penOf(canvas);
  const middle = TEXTURE_PX / 2;
  const radius = TEXTURE_PX * 0.4;
  for (const [style, width] of [["rgba(8, 11, 13, 0.55)", wide * 2.2], [colour, wide]] as const) {
    pen.strokeStyle = style;
    pen.fillStyle = style;
    pen.lineWidth = width * TEXTURE_PX;
    pen.beginPath();
    pen.arc(middle, middle, radius, 0, 2 * Math.PI);
    pen.stroke();
    pen.beginPath();
    pen.arc(middle, middle, width * TEXTURE_PX, 0, 2 * Math.PI);
    pen.fill();
  }
  const map = new CanvasTexture(canvas as unknown as HTMLCanvasElement);
  map.colorSpace = SRGBColorSpace;
  return new SpriteMaterial({ map, sizeAttenuation: false, depthTest: false, depthWrite: false, toneMapped: false });
}
