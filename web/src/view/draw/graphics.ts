/** Finds out what draws here: a graphics card, or the processor in its place. */

import { makeCanvas } from "./text.ts";

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render|lavapipe|mesa offscreen/i;

/** Return whether pictures are drawn by the processor. Raises an error where WebGL is missing. */
export function probeSoftware(): boolean {
  const gl = makeCanvas().getContext("webgl2") as WebGL2RenderingContext | null;
  if (gl === null) throw new Error("There is no WebGL.");
  try {
    return isSoftware(rendererOf(gl));
  } finally {
    gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

/** Return whether this is the name of a renderer that has no graphics card. */
export function isSoftware(renderer: string): boolean {
  return SOFTWARE.test(renderer);
}

function rendererOf(gl: WebGL2RenderingContext): string {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return String(gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL));
}
