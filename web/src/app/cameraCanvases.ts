/** The canvases of the camera wall, and the pictures drawn for them. */

import { signal } from "@preact/signals";
import type { Extent } from "../state/cameraWall.ts";
import type { CameraFrame } from "../view/index.ts";

export class CameraCanvases {
  /** The size of each picture on the page, by the camera's name. */
  readonly extents = signal<ReadonlyMap<string, Extent>>(new Map());
  private readonly canvases = new Map<string, HTMLCanvasElement>();

  /** Show a camera's pictures on a canvas; return the function that ends it. */
  attach(name: string, canvas: HTMLCanvasElement): () => void {
    this.canvases.set(name, canvas);
    const watch = new ResizeObserver(() => this.measure(name, canvas));
    watch.observe(canvas);
    return () => {
      watch.disconnect();
      if (this.canvases.get(name) === canvas) this.canvases.delete(name);
    };
  }

  /** Show a picture that was drawn. */
  show({ id, width, height, pixels }: CameraFrame): void {
    const canvas = this.canvases.get(id);
    // The pixels come from the processor: keep the canvas in its memory.
    const pen = canvas?.getContext("2d", { willReadFrequently: true });
    if (canvas === undefined || pen === null || pen === undefined) return;
    fit(canvas, width, height);
    pen.putImageData(new ImageData(pixels, width, height), 0, 0);
  }

  private measure(name: string, canvas: HTMLCanvasElement): void {
    const { clientWidth: width, clientHeight: height } = canvas;
    const [w, h] = this.extents.value.get(name) ?? [0, 0];
    if (width === 0 || (w === width && h === height)) return;
    this.extents.value = new Map(this.extents.value).set(name, [width, height]);
  }
}

/** Show a picture that came from the server. */
export async function paint(canvas: HTMLCanvasElement, picture: Blob): Promise<void> {
  const bitmap = await createImageBitmap(picture);
  fit(canvas, bitmap.width, bitmap.height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
}

function fit(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}
