/** A line between an arm and what it is nearest to, a dot at either end and the gap in words, of constant size on the screen. */

import { CanvasTexture, Group, Sprite, SpriteMaterial, SRGBColorSpace, Vector3 } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { ClearanceLook } from "../painterProtocol.ts";
import type { Sight } from "./axes.ts";
import { ALARM, AMBER, CALM, SHADE } from "./viewColours.ts";
import { Label, LABEL, makeCanvas, penOf } from "./labels.ts";

/** CSS pixels: how wide the line and the dark rim around it are, a dot, a dash. */
const WIDE = 2;
const RIM = 4;
const DOT = 9;
const DASH = 5;
/** The words stand so many CSS pixels beside the line, and not at all in a picture that is lower than this. */
const AWAY = 12;
const LOW = 240;
/** CSS pixels around a tip that the arrows need for themselves. */
const CROWDED = 75;
const PICTURE = 48;
const COLOURS: Readonly<Record<ClearanceLook["closeness"], number>> = { far: CALM, close: AMBER, shut: ALARM };

/** Of the picture: real pixels for each CSS pixel, and its height in those. */
export interface Picture {
  readonly ratio: number;
  readonly height: number;
}

/** What all lines share. */
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

  /** Keep the sizes on the screen, and the words out of the way of what is drawn at the tip. */
  face(sight: Sight, picture: Picture, tip: Vector3): void {
    if (this.look === null) return;
    this.rim.linewidth = RIM * picture.ratio;
    this.solid.linewidth = WIDE * picture.ratio;
    this.dashed.linewidth = WIDE * picture.ratio;
    for (const end of this.ends) end.scale.setScalar(DOT * sight.pixel);
    const way = WAY.set(...this.look.to).sub(FROM.set(...this.look.from));
    const middle = POINT.copy(FROM).addScaledVector(way, 0.5);
    const pixel = sight.pixel * Math.max(middle.dot(sight.forward) - sight.eye.dot(sight.forward), 0.01);
    this.dashed.dashSize = (DASH * pixel) / Math.max(way.length(), 1e-6);
    this.dashed.gapSize = this.dashed.dashSize * 0.8;
    const off = middle.sub(tip);
    const [x, y] = [off.dot(sight.right) / pixel, off.dot(sight.up) / pixel];
    this.putLabel(sight, [x, y], picture.height >= LOW && !(this.look.ways.length > 0 && Math.hypot(x, y) < CROWDED));
  }

  /** Put the words beside a line that stands, or over or under one that lies, on the side where the tip is not. */
  private putLabel(sight: Sight, [x, y]: readonly [number, number], shown: boolean): void {
    if (this.label === null) return;
    this.label.sprite.visible = shown;
    this.label.resize(sight.pixel);
    const stands = Math.abs(WAY.dot(sight.up)) >= Math.abs(WAY.dot(sight.right));
    const beside = x < 0 ? Math.PI : 0;
    const over = y < 0 ? -Math.PI / 2 : Math.PI / 2;
    this.label.beside(stands ? beside : over, AWAY);
  }

  dispose(): void {
    this.label?.dispose();
    for (const material of [this.rim, this.solid, this.dashed, this.paint]) material.dispose();
  }

  private write(words: string): void {
    if (this.label !== null) {
      this.root.remove(this.label.sprite);
      this.label.dispose();
    }
    this.label = words === "" ? null : new Label(words, LABEL);
    if (this.label === null) return;
    this.label.sprite.renderOrder += 0.5; // over the letters of the axes, which say less
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

/** Paint a white dot with a dark rim; its sprites colour it. */
function dotPicture(): CanvasTexture {
  const canvas = makeCanvas();
  canvas.width = PICTURE;
  canvas.height = PICTURE;
  const pen = penOf(canvas);
  for (const [style, share] of [["rgba(8, 11, 13, 0.7)", 0.48], ["#ffffff", 0.32]] as const) {
    pen.fillStyle = style;
    pen.beginPath();
    pen.arc(PICTURE / 2, PICTURE / 2, share * PICTURE, 0, 2 * Math.PI);
    pen.fill();
  }
  const map = new CanvasTexture(canvas as unknown as HTMLCanvasElement);
  map.colorSpace = SRGBColorSpace;
  return map;
}
