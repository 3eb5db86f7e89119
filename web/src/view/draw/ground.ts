/** Planes: a floor with a fine grid in its own shader, so that grid and floor do not flicker. It fades out. */

import { CircleGeometry, Color, Group, Mesh, MeshLambertMaterial, PlaneGeometry, ShaderMaterial, SRGBColorSpace } from "three";
import type { Material } from "three";
import type { GeomLook } from "../../wire.gen.ts";
import { matrixOf } from "./poseMatrix.ts";
import { GRID, HORIZON } from "./viewColours.ts";
import { LIGHTING, lightUniforms } from "./materials.ts";
import type { Manner } from "./materials.ts";

/** Radius to which an endless plane is drawn, m; it fades out before. */
const ENDLESS_RADIUS_M = 40;

interface Plane {
  readonly mesh: Mesh;
  readonly surfaces: Record<Manner, Material>;
}

export class Ground {
  readonly root = new Group();
  private planes: Plane[] = [];

  /** Show the planes among these shapes. */
  set(geoms: readonly GeomLook[]): void {
    this.dispose();
    for (const geom of geoms) if (geom.shape === "plane" && geom.seen) this.add(geom);
  }

  setManner(manner: Manner): void {
    for (const { mesh, surfaces } of this.planes) mesh.material = surfaces[manner];
  }

  dispose(): void {
    this.root.clear();
    for (const { mesh, surfaces } of this.planes) {
      mesh.geometry.dispose();
      surfaces.fine.dispose();
      surfaces.quick.dispose();
    }
    this.planes = [];
  }

  private add(geom: GeomLook): void {
    const [a = 0, b = 0] = geom.size;
    const endless = a === 0 || b === 0;
    const geometry = endless ? new CircleGeometry(ENDLESS_RADIUS_M, 64) : new PlaneGeometry(2 * a, 2 * b);
    const [red, green, blue] = geom.colour;
    const colour = new Color().setRGB(red, green, blue, SRGBColorSpace);
    const surfaces = { fine: fine(colour), quick: quick(colour) };
    const mesh = new Mesh(geometry, surfaces.fine);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrixOf(geom));
    mesh.receiveShadow = true;
    // Drawn after the objects on it: hidden pixels are not shaded.
    mesh.renderOrder = 1;
    this.planes.push({ mesh, surfaces });
    this.root.add(mesh);
  }
}

function gridUniforms(): Record<string, { value: Color }> {
  return {
    gridColour: { value: new Color(GRID).convertLinearToSRGB() },
    horizon: { value: new Color(HORIZON).convertLinearToSRGB() },
  };
}

/** Return a material lit per pixel, with shadows, grid and horizon. */
function fine(color: Color): Material {
  const material = new MeshLambertMaterial({ color });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, gridUniforms());
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec2 vOnPlane;")
      .replace("#include <project_vertex>", "#include <project_vertex>\nvOnPlane = position.xy;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${GRID_SHADER}`)
      .replace("#include <fog_fragment>", "gl_FragColor.rgb = withGrid(gl_FragColor.rgb);");
  };
  return material;
}

/** Return a material lit per vertex. */
function quick(colour: Color): Material {
  return new ShaderMaterial({
    uniforms: { colour: { value: colour }, ...gridUniforms(), ...lightUniforms() },
    vertexShader: QUICK_VERTEX,
    fragmentShader: QUICK_FRAGMENT,
    toneMapped: false,
  });
}

const GRID_SHADER = `
uniform vec3 gridColour;
uniform vec3 horizon;
varying vec2 vOnPlane;

// Lines about one pixel wide; where they are denser than the pixels they melt away.
float lines(vec2 place) {
  vec2 wide = max(fwidth(place), 1e-6);
  vec2 off = abs(fract(place - 0.5) - 0.5) / wide;
  vec2 line = clamp(1.3 - off, 0.0, 1.0) * clamp(1.5 - 3.0 * wide, 0.0, 1.0);
  return max(line.x, line.y);
}

// The plane's colour with lines every 0.1 m and every metre, fading into the horizon. All as shown on the screen.
vec3 withGrid(vec3 colour) {
  float away = dot(vOnPlane, vOnPlane);
  float clear = clamp(1.0 - away / 90.0, 0.0, 1.0);
  float line = 0.05 * lines(vOnPlane * 10.0) + 0.13 * lines(vOnPlane);
  return mix(horizon, mix(colour, gridColour, line), clear * clear);
}
`;

const QUICK_VERTEX = `
${LIGHTING}
uniform vec3 colour;
varying vec2 vOnPlane;
varying vec3 vShown;
void main() {
  vOnPlane = position.xy;
  vShown = shown(colour * lit(normalize(mat3(modelMatrix) * normal)));
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}
`;

const QUICK_FRAGMENT = `
${GRID_SHADER}
varying vec3 vShown;
void main() {
  gl_FragColor = vec4(withGrid(vShown), 1.0);
}
`;
