/** Materials for all shapes, in two manners. Colours are stored in the vertices, so a few materials serve all shapes.
 *
 * Fine: lit per pixel, with shadows and a slight gloss. Quick: lit per vertex, many times cheaper, for moving pictures
 * where the processor draws.
 */

import { Color, MeshStandardMaterial, ShaderMaterial, Vector3 } from "three";
import type { Material } from "three";
import { DOME, KEY, RIM } from "./lightModel.ts";

export type Manner = "fine" | "quick";
export type Kind = "solid" | "asleep" | "glass";

/** Brightness of objects asleep. */
const ASLEEP = 0.84;

export class Surfaces {
  private readonly made: Record<Manner, Record<Kind, Material>> = {
    fine: { solid: fine(1, false), asleep: fine(ASLEEP, false), glass: fine(1, true) },
    quick: { solid: quick(1, false), asleep: quick(ASLEEP, false), glass: quick(1, true) },
  };

  of(manner: Manner, kind: Kind): Material {
    return this.made[manner][kind];
  }

  dispose(): void {
    for (const kinds of Object.values(this.made)) for (const material of Object.values(kinds)) material.dispose();
  }
}

function fine(shade: number, glass: boolean): Material {
  return new MeshStandardMaterial({
    color: new Color(shade, shade, shade),
    vertexColors: true,
    roughness: 0.6,
    metalness: 0,
    transparent: glass,
    depthWrite: !glass,
  });
}

function quick(shade: number, glass: boolean): Material {
  return new ShaderMaterial({
    uniforms: { shade: { value: shade }, ...lightUniforms() },
    vertexColors: true,
    vertexShader: QUICK_VERTEX,
    fragmentShader: QUICK_FRAGMENT,
    transparent: glass,
    depthWrite: !glass,
    toneMapped: false,
  });
}

/** Return the light for shaders that do their own lighting. */
export function lightUniforms(): Record<string, { value: Vector3 | Color }> {
  return {
    keyFrom: { value: new Vector3(...KEY.from) },
    keyLight: { value: new Color(KEY.colour).multiplyScalar(KEY.strength / Math.PI) },
    rimFrom: { value: new Vector3(...RIM.from) },
    rimLight: { value: new Color(RIM.colour).multiplyScalar(RIM.strength / Math.PI) },
    skyLight: { value: new Color(DOME.sky).multiplyScalar(DOME.strength / Math.PI) },
    groundLight: { value: new Color(DOME.ground).multiplyScalar(DOME.strength / Math.PI) },
  };
}

/** Shader text: `lit(normal)` is the light on a surface, `shown(colour)` converts a linear colour for the screen. */
export const LIGHTING = `
uniform vec3 keyFrom;
uniform vec3 keyLight;
uniform vec3 rimFrom;
uniform vec3 rimLight;
uniform vec3 skyLight;
uniform vec3 groundLight;

vec3 lit(vec3 normal) {
  vec3 light = mix(groundLight, skyLight, 0.5 + 0.5 * normal.z);
  light += keyLight * max(dot(normal, keyFrom), 0.0);
  return light + rimLight * max(dot(normal, rimFrom), 0.0);
}

vec3 shown(vec3 linear) {
  vec3 colour = clamp(linear, 0.0, 1.0);
  return mix(1.055 * pow(colour, vec3(0.41666)) - 0.055, colour * 12.92, vec3(lessThanEqual(colour, vec3(0.0031308))));
}
`;

const QUICK_VERTEX = `
${LIGHTING}
uniform float shade;
varying vec4 vShown;
void main() {
  vec3 normalWorld = normalize(mat3(modelMatrix) * normal);
#ifdef USE_COLOR_ALPHA
  vShown = vec4(shown(color.rgb * shade * lit(normalWorld)), color.a);
#else
  vShown = vec4(shown(color * shade * lit(normalWorld)), 1.0);
#endif
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}
`;

const QUICK_FRAGMENT = `
varying vec4 vShown;
void main() {
  gl_FragColor = vShown;
}
`;
