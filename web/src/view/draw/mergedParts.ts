/** Colours shapes, and merges several into one geometry. */

import { BufferAttribute, Color, SRGBColorSpace } from "three";
import type { BufferGeometry, Matrix4 } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { GeomLook } from "../../wire.gen.ts";

/** A shape and its pose in the frame of its body. */
export interface Part {
  readonly shape: BufferGeometry;
  readonly matrix: Matrix4;
}

/** Return a shape with a colour (red, green, blue, opacity, as shown on a screen) at each vertex. */
export function painted(shape: BufferGeometry, [r, g, b, opacity]: GeomLook["colour"]): BufferGeometry {
  const linear = new Color().setRGB(r, g, b, SRGBColorSpace);
  const row = opacity < 1 ? [linear.r, linear.g, linear.b, opacity] : [linear.r, linear.g, linear.b];
  const count = shape.getAttribute("position").count;
  const colours = new Float32Array(count * row.length);
  for (let i = 0; i < count; i++) colours.set(row, i * row.length);
  const copy = shape.clone();
  copy.setAttribute("color", new BufferAttribute(colours, row.length));
  return copy;
}

/** Return several parts as one geometry in the frame of their body. */
export function mergedParts(parts: readonly Part[]): BufferGeometry {
  const copies = parts.map(({ shape, matrix }) => shape.clone().applyMatrix4(matrix));
  const merged = mergeGeometries(copies);
  for (const copy of copies) copy.dispose();
  return merged;
}
