/** The line between an arm and its nearest obstacle, with dots at its ends and a label, of constant size on the screen. */

import { CanvasTexture, Group, Sprite, SpriteMaterial, SRGBColorSpace, Vector3 } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { ClearanceLook } from "../painterProtocol.ts";
import type { Sight } from "./axes.ts";
import { ALARM, AMBER, CALM, SHADE } from "./viewColours.ts";
import { Label, LABEL, makeCanvas, penOf } from "./labels.ts";

/** Widths of the line and its dark rim, and sizes of dot and dash, CSS pixels. */
const LINE_PX = 2;
const RIM_PX = 4;
const DOT_PX = 9;
const DASH_PX = 5;
/** Distance of the label from the line, and height of the picture below which there is none, CSS pixels. */
const LABEL_DISTANCE_PX = 12;
const MIN_HEIGHT_PX = 240;
/** Radius around a tip that is kept for its arrows, CSS pixels. */
const ARROWS_RADIUS_PX = 75;
/** Size of the dot's texture, pixels. */
const TEXTURE_PX = 48;
const COLOURS: Readonly<Record<ClearanceLook["closeness"], number>> = { far: CALM, close: AMBER, shut: ALARM };

/** The picture: real pixels per CSS pixel, and its height in CSS pixels. */
export interface Picture {
  readonly ratio: number;
  readonly height: number;
}

/** Resources that all lines share. */
export class ClearanceLineKit {
  /** From the origin one metre along z: each line turns and stretches it. */
  readonly geometry = new LineGeometry();
  readonly dot = dotPicture();

  constructor() {
    this.geometry.setPositions([0, 0, 0, 0, 0, 1]);
  }

  dispose(): void {
    this.geometry.dispose();
    this.dot.dispose();
  }
}

export class ClearanceLine {
  readonly root = new Group();
  private readonly rim = lineMaterial(false);
  private readonly solid = lineMaterial(false);
  private readonly dashed = lineMaterial(true);
  private readonly paint: SpriteMaterial;
  private readonly lines: Line2[];
  private readonly ends: Sprite[];
  private label: Label | null = null;
  private look: ClearanceLook | null = null;

  constructor(kit: ClearanceLineKit) {
    this.rim.color.set(SHADE);
    this.rim.opacity = 0.55;
    this.lines = [this.rim, this.solid, this.dashed].map((material, i) => {
      const line = new Line2(kit.geometry, material);
      line.computeLineDistances();
      line.frustumCulled = false;
      line.renderOrder = 6 + i;
      return line;
    });
    this.paint = new SpriteMaterial({ map: kit.dot, sizeAttenuation: false, depthTest: false, depthWrite: false, toneMapped: false });
    this.ends = [0, 1].map(() => {
      const end = new Sprite(this.paint);
      end.renderOrder = 9;
      return end;
    });
    this.root.add(...this.lines, ...this.ends);
    this.root.visible = false;
  }

  set(look: ClearanceLook | null): void {
    if (look?.text !== this.look?.text) this.write(look?.text ?? "");
    this.look = look;
    this.root.visible = look !== null;
    if (look === null) return;
    const colour = COLOURS[look.closeness];
    for (const paint of [this.solid, this.dashed, this.paint]) paint.color.set(colour);
    this.solid.visible = !look.gently;
    this.dashed.visible = look.gently;
    const way = WAY.set(...look.to).sub(FROM.set(...look.from));
    const length = Math.max(way.length(), 1e-6);
    way.divideScalar(length);
    for (const line of this.lines) {
      line.position.copy(FROM);
      line.quaternion.setFromUnitVectors(ALONG, way);
      line.scale.set(1, 1, length);
    }
    this.ends[0]?.position.set(...look.from);
    this.ends[1]?.position.set(...look.to);
    this.place();
  }

  /** Keep the sizes on the screen, and the label clear of the arrows at the tip. */
  face(sight: Sight, picture: Picture, tip: Vector3): void {
    if (this.look === null) return;
    this.rim.linewidth = RIM_PX * picture.ratio;
    this.solid.linewidth = LINE_PX * picture.ratio;
    this.dashed.linewidth = LINE_PX * picture.ratio;
    for (const end of this.ends) end.scale.setScalar(DOT_PX * sight.pixel);
    const way = WAY.set(...this.look.to).sub(FROM.set(...this.look.from));
    const middle = POINT.copy(FROM).addScaledVector(way, 0.5);
    const pixel = sight.pixel * Math.max(middle.dot(sight.forward) - sight.eye.dot(sight.forward), 0.01);
    this.dashed.dashSize = (DASH_PX * pixel) / Math.max(way.length(), 1e-6);
    this.dashed.gapSize = this.dashed.dashSize * 0.8;
    const off = middle.sub(tip);
    const [x, y] = [off.dot(sight.right) / pixel, off.dot(sight.up) / pixel];
    this.putLabel(sight, [x, y], picture.height >= MIN_HEIGHT_PX && !(this.look.ways.length > 0 && Math.hypot(x, y) < ARROWS_RADIUS_PX));
  }

  /** Put the label beside an upright line, or above or below a flat one, on the side away from the tip. */
  private putLabel(sight: Sight, [x, y]: readonly [number, number], shown: boolean): void {
    if (this.label === null) return;
    this.label.sprite.visible = shown;
    this.label.resize(sight.pixel);
    const stands = Math.abs(WAY.dot(sight.up)) >= Math.abs(WAY.dot(sight.right));
    const beside = x < 0 ? Math.PI : 0;
    const over = y < 0 ? -Math.PI / 2 : Math.PI / 2;
    this.label.beside(stands ? beside : over, LABEL_DISTANCE_PX);
  }

  dispose(): void {
    this.label?.dispose();
    for (const material of [this.rim, this.solid, this.dashed, this.paint]) material.dispose();
  }

  private write(text: string): void {
    if (this.label !== null) {
      this.root.remove(this.label.sprite);
      this.label.dispose();
    }
    this.label = text === "" ? null : new Label(text, LABEL);
    if (this.label === null) return;
    this.label.sprite.renderOrder += 0.5; // over the letters of the axes, which matter less
    this.root.add(this.label.sprite);
  }

  private place(): void {
    if (this.look === null) return;
    this.label?.sprite.position.set(...this.look.from).add(POINT.set(...this.look.to)).multiplyScalar(0.5);
  }
}

const ALONG = new Vector3(0, 0, 1);
const FROM = new Vector3();
const WAY = new Vector3();
const POINT = new Vector3();

function lineMaterial(dashed: boolean): LineMaterial {
  return new LineMaterial({ dashed, transparent: true, depthTest: false, depthWrite: false, toneMapped: false });
}

/** Return a white dot with a dark rim, which its sprites tint. */
function dotPicture(): CanvasTexture {
  const canvas = makeCanvas();
  canvas.width = TEXTURE_PX;
  canvas.height = TEXTURE_PX;
  const pen = penOf(canvas);
  for (const [style, share] of [["rgba(8, 11, 13, 0.7)", 0.48], ["#ffffff", 0.32]] as const) {
    pen.fillStyle = style;
    pen.beginPath();
    pen.arc(TEXTURE_PX / 2, TEXTURE_PX / 2, share * TEXTURE_PX, 0, 2 * Math.PI);
    pen.fill();
  }
  const map = new CanvasTexture(canvas as unknown as HTMLCanvasElement);
  map.colorSpace = SRGBColorSpace;
  return map;
}
