/** Saves plots as files in the download folder. */

import { colour } from "./plotColours.ts";

/** The parts of a plot's picture. */
export interface Picture {
  readonly canvas: HTMLCanvasElement;
  readonly title: string;
  readonly legend: readonly { readonly text: string; readonly colour: string }[];
}

/** Height of a plot's heading, and margin, CSS pixels. */
const HEAD_PX = 34;
const GAP_PX = 12;

/** Offer a file for download. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Return a name with the time of saving, so that no file replaces another. */
export function fileName(cell: string, ending: string, now: Date): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(":", "-").replace("T", "_");
  const safe = cell.replaceAll(/[^\w-]+/g, "-");
  return `farhand-${safe}-${stamp}.${ending}`;
}

/** Draw plots below each other, each with its title and legend, as a PNG. */
export function png(pictures: readonly Picture[]): Promise<Blob | null> {
  if (pictures.length === 0) return Promise.resolve(null);
  const ratio = window.devicePixelRatio;
  const width = Math.max(...pictures.map((picture) => picture.canvas.width)) + 2 * GAP_PX * ratio;
  const height = pictures.reduce((sum, picture) => sum + picture.canvas.height + (HEAD_PX + GAP_PX) * ratio, GAP_PX * ratio);
  const sheet = document.createElement("canvas");
  sheet.width = width;
  sheet.height = height;
  const pen = sheet.getContext("2d");
  if (pen === null) return Promise.resolve(null);
  pen.fillStyle = colour("--panel");
  pen.fillRect(0, 0, width, height);
  let top = GAP_PX * ratio;
  for (const picture of pictures) {
    heading(pen, picture, GAP_PX * ratio, top + 18 * ratio, ratio);
    pen.drawImage(picture.canvas, GAP_PX * ratio, top + HEAD_PX * ratio);
    top += picture.canvas.height + (HEAD_PX + GAP_PX) * ratio;
  }
  return new Promise((done) => sheet.toBlob(done, "image/png"));
}

function heading(pen: CanvasRenderingContext2D, picture: Picture, left: number, base: number, ratio: number): void {
  pen.font = `600 ${13 * ratio}px system-ui, sans-serif`;
  pen.fillStyle = colour("--text");
  pen.fillText(picture.title, left, base);
  let at = left + pen.measureText(picture.title).width + 18 * ratio;
  pen.font = `${12 * ratio}px system-ui, sans-serif`;
  for (const { text, colour: ink } of picture.legend) {
    pen.fillStyle = ink;
    pen.fillText(text, at, base);
    at += pen.measureText(text).width + 14 * ratio;
  }
}
