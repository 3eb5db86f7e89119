/** Short words as pictures of constant size on the screen. Text goes to a canvas, never into markup. */

import { CanvasTexture, LinearFilter, Sprite, SpriteMaterial, SRGBColorSpace } from "three";
import { PLATE, TEXT } from "./viewColours.ts";

/** Real pixels a letter picture has for each CSS pixel, for sharp text on fine screens. */
const FINE = 2;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const LONGEST = 40;

export interface TextStyle {
  /** Height of the letters, CSS pixels. */
  readonly size: number;
  readonly colour: string;
  /** A dark plate behind the words. */
  readonly plate: boolean;
}

export const LABEL: TextStyle = { size: 12, colour: TEXT, plate: true };

/** A word in the world that keeps its size on the screen. */
export class Label {
  readonly sprite: Sprite;
  private readonly width: number;
  private readonly height: number;

  constructor(words: string, style: TextStyle) {
    const canvas = write(shortened(words), style);
    this.width = canvas.width / FINE;
    this.height = canvas.height / FINE;
    const map = new CanvasTexture(canvas as unknown as HTMLCanvasElement);
    map.colorSpace = SRGBColorSpace;
    map.minFilter = LinearFilter;
    map.generateMipmaps = false;
    const material = new SpriteMaterial({ map, sizeAttenuation: false, depthTest: false, depthWrite: false, toneMapped: false });
    this.sprite = new Sprite(material);
    this.sprite.renderOrder = 10;
  }

  /** Stand beside its place, so many CSS pixels away in a direction on the screen (rad). */
  beside(angle: number, pixels: number): void {
    const [x, y] = [Math.cos(angle) * (pixels + this.width / 2), Math.sin(angle) * (pixels + this.height / 2)];
    this.sprite.center.set(0.5 - x / this.width, 0.5 - y / this.height);
  }

  /** Keep the size when the picture's changes; `pixel` is what a CSS pixel takes at a distance of one metre. */
  resize(pixel: number): void {
    this.sprite.scale.set(this.width * pixel, this.height * pixel, 1);
  }

  dispose(): void {
    this.sprite.material.map?.dispose();
    this.sprite.material.dispose();
  }
}

function shortened(words: string): string {
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words;
}

function write(words: string, style: TextStyle): OffscreenCanvas | HTMLCanvasElement {
  const font = `600 ${style.size * FINE}px ${FONT}`;
  const pad = (style.plate ? 5 : 2) * FINE;
  const canvas = makeCanvas();
  const width = measured(canvas, font, words) + 2 * pad;
  const height = Math.ceil(style.size * 1.25) * FINE + (style.plate ? pad : 0);
  canvas.width = Math.ceil(width);
  canvas.height = height;
  const pen = penOf(canvas);
  if (style.plate) {
    pen.fillStyle = PLATE;
    pen.beginPath();
    pen.roundRect(0, 0, canvas.width, height, 4 * FINE);
    pen.fill();
  }
  pen.font = font;
  pen.textBaseline = "middle";
  if (!style.plate) {
    pen.strokeStyle = PLATE;
    pen.lineWidth = 3 * FINE;
    pen.lineJoin = "round";
    pen.strokeText(words, pad, height / 2);
  }
  pen.fillStyle = style.colour;
  pen.fillText(words, pad, height / 2);
  return canvas;
}

function measured(canvas: OffscreenCanvas | HTMLCanvasElement, font: string, words: string): number {
  const pen = penOf(canvas);
  pen.font = font;
  return pen.measureText(words).width;
}

/** Return a canvas of one's own, in a worker or in a page. */
export function makeCanvas(): OffscreenCanvas | HTMLCanvasElement {
  return typeof document === "undefined" ? new OffscreenCanvas(1, 1) : document.createElement("canvas");
}

/** Return what draws on a canvas. */
export function penOf(
  canvas: OffscreenCanvas | HTMLCanvasElement,
): OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D {
  const pen = (canvas as HTMLCanvasElement).getContext("2d"); // both kinds offer the same here
  if (pen === null) throw new Error("The browser gives no canvas to write on.");
  return pen;
}
