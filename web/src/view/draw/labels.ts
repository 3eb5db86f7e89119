/** Labels of constant size on the screen. Text is drawn on a canvas, never put into markup. */

import { CanvasTexture, LinearFilter, Sprite, SpriteMaterial, SRGBColorSpace } from "three";
import { PLATE, TEXT } from "./viewColours.ts";

/** Pixels of a label's texture per CSS pixel, for sharp text on fine screens. */
const TEXTURE_RATIO = 2;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const MAX_LENGTH = 40;

export interface TextStyle {
  /** Height of the letters, CSS pixels. */
  readonly size: number;
  readonly colour: string;
  /** Draw a dark plate behind the text. */
  readonly plate: boolean;
}

export const LABEL: TextStyle = { size: 12, colour: TEXT, plate: true };

/** A text in the world that keeps its size on the screen. */
export class Label {
  readonly sprite: Sprite;
  private readonly width: number;
  private readonly height: number;

  constructor(text: string, style: TextStyle) {
    const canvas = write(shortened(text), style);
    this.width = canvas.width / TEXTURE_RATIO;
    this.height = canvas.height / TEXTURE_RATIO;
    const map = new CanvasTexture(canvas as unknown as HTMLCanvasElement);
    map.colorSpace = SRGBColorSpace;
    map.minFilter = LinearFilter;
    map.generateMipmaps = false;
    const material = new SpriteMaterial({ map, sizeAttenuation: false, depthTest: false, depthWrite: false, toneMapped: false });
    this.sprite = new Sprite(material);
    this.sprite.renderOrder = 10;
  }

  /** Move beside its place: an angle on the screen, rad, and a distance, CSS pixels. */
  beside(angle: number, pixels: number): void {
    const [x, y] = [Math.cos(angle) * (pixels + this.width / 2), Math.sin(angle) * (pixels + this.height / 2)];
    this.sprite.center.set(0.5 - x / this.width, 0.5 - y / this.height);
  }

  /** Keep the size on the screen; `pixel` is the size of a CSS pixel at a distance of one metre, m. */
  resize(pixel: number): void {
    this.sprite.scale.set(this.width * pixel, this.height * pixel, 1);
  }

  dispose(): void {
    this.sprite.material.map?.dispose();
    this.sprite.material.dispose();
  }
}

function shortened(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

function write(text: string, style: TextStyle): OffscreenCanvas | HTMLCanvasElement {
  const font = `600 ${style.size * TEXTURE_RATIO}px ${FONT}`;
  const pad = (style.plate ? 5 : 2) * TEXTURE_RATIO;
  const canvas = makeCanvas();
  const width = measured(canvas, font, text) + 2 * pad;
  const height = Math.ceil(style.size * 1.25) * TEXTURE_RATIO + (style.plate ? pad : 0);
  canvas.width = Math.ceil(width);
  canvas.height = height;
  const pen = penOf(canvas);
  if (style.plate) {
    pen.fillStyle = PLATE;
    pen.beginPath();
    pen.roundRect(0, 0, canvas.width, height, 4 * TEXTURE_RATIO);
    pen.fill();
  }
  pen.font = font;
  pen.textBaseline = "middle";
  if (!style.plate) {
    pen.strokeStyle = PLATE;
    pen.lineWidth = 3 * TEXTURE_RATIO;
    pen.lineJoin = "round";
    pen.strokeText(text, pad, height / 2);
  }
  pen.fillStyle = style.colour;
  pen.fillText(text, pad, height / 2);
  return canvas;
}

function measured(canvas: OffscreenCanvas | HTMLCanvasElement, font: string, text: string): number {
  const pen = penOf(canvas);
  pen.font = font;
  return pen.measureText(text).width;
}

/** Return a new canvas, in a worker or in a page. */
export function makeCanvas(): OffscreenCanvas | HTMLCanvasElement {
  return typeof document === "undefined" ? new OffscreenCanvas(1, 1) : document.createElement("canvas");
}

/** Return the 2D context of a canvas. */
export function penOf(
  canvas: OffscreenCanvas | HTMLCanvasElement,
): OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D {
  const pen = (canvas as HTMLCanvasElement).getContext("2d"); // both kinds offer the same here
  if (pen === null) throw new Error("The browser gives no canvas to write on.");
  return pen;
}
