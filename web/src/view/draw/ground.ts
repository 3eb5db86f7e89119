/** Planes: a floor with a fine grid drawn into its own surface, so that nothing fights over depth. It fades out. */

import { CircleGeometry, Color, Group, Mesh, MeshLambertMaterial, PlaneGeometry, SRGBColorSpace } from "three";
import type { GeomLook } from "../../wire.gen.ts";
import { GRID, HORIZON } from "./palette.ts";
import { matrixOf } from "./matrix.ts";

/** An endless plane is drawn this far (m); it has faded out before. */
const ENDLESS = 40;

export class Ground {
  readonly root = new Group();
  private readonly materials: MeshLambertMaterial[] = [];
  private readonly meshes: Mesh[] = [];

  /** Show the planes among these shapes. */
  set(geoms: readonly GeomLook[]): void {
    this.clear();
    for (const geom of geoms) if (geom.shape === "plane" && geom.seen) this.add(geom);
  }

  dispose(): void {
    this.clear();
  }

  private clear(): void {
    this.root.clear();
    for (const mesh of this.meshes) mesh.geometry.dispose();
    for (const material of this.materials) material.dispose();
    this.meshes.length = 0;
    this.materials.length = 0;
  }

  private add(geom: GeomLook): void {
    const [a = 0, b = 0] = geom.size;
    const endless = a === 0 || b === 0;
    const geometry = endless ? new CircleGeometry(ENDLESS, 96) : new PlaneGeometry(2 * a, 2 * b);
    const material = gridded(geom.colour);
    const mesh = new Mesh(geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrixOf(geom));
    mesh.receiveShadow = true;
    // After everything that stands on it: what is hidden need not be shaded.
    mesh.renderOrder = 1;
    this.materials.push(material);
    this.meshes.push(mesh);
    this.root.add(mesh);
  }
}

/** Return a plane's surface: its colour, lines every 0.1 m and 1 m, fading into the horizon. */
function gridded([r, g, b]: GeomLook["colour"]): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ color: new Color().setRGB(r, g, b, SRGBColorSpace) });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.gridColour = { value: new Color(GRID) };
    shader.uniforms.horizon = { value: new Color(HORIZON).convertLinearToSRGB() };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec2 vOnPlane;\nvarying float vAway;")
      .replace("#include <project_vertex>", "#include <project_vertex>\nvOnPlane = position.xy;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${GRID_SHADER}`)
      .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb = withGrid(diffuseColor.rgb);")
      .replace("#include <fog_fragment>", "gl_FragColor.rgb = mix(gl_FragColor.rgb, horizon, faded());");
  };
  return material;
}

const GRID_SHADER = `
uniform vec3 gridColour;
uniform vec3 horizon;
varying vec2 vOnPlane;

// Lines about one pixel wide; where they are denser than the pixels they melt into an even tone.
float lines(float spacing) {
  vec2 place = vOnPlane / spacing;
  vec2 wide = max(fwidth(place), 1e-6);
  vec2 off = abs(fract(place - 0.5) - 0.5) / wide;
  vec2 line = (1.0 - clamp(off - 0.3, 0.0, 1.0)) * (1.0 - smoothstep(0.15, 0.5, wide));
  return max(line.x, line.y);
}

vec3 withGrid(vec3 colour) {
  return mix(colour, gridColour, 0.05 * lines(0.1) + 0.12 * lines(1.0));
}

float faded() {
  return smoothstep(1.5, 11.0, length(vOnPlane));
}
`;
