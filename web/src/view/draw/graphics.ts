/** Detects whether a graphics card or the processor draws. */

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render|lavapipe|mesa offscreen/i;

/** Return whether the processor draws. */
export function drawsInSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return isSoftware(String(gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL)));
}

/** Return whether a renderer of this name works without a graphics card. */
export function isSoftware(renderer: string): boolean {
  return SOFTWARE.test(renderer);
}
