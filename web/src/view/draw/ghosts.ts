/** Robots at the end of their moves: their shapes again, translucent, in one calm colour.
 *
 * They are drawn last and in two passes, first depth, then colour: so a ghost does not shine through itself and hides
 * nothing of the world. A robot at the pose of its ghost covers it.
 */

import { Color, Group, Mesh, ShaderMaterial } from "three";
import type { GhostLook } from "../painterProtocol.ts";
import { readPose } from "./poseMatrix.ts";
import { INFO } from "./viewColours.ts";
import { VIRTUAL } from "./scenery.ts";
import type { Scenery } from "./scenery.ts";

/** Render order: after everything else in the world. */
const ORDER = 4;

export class Ghosts {
  readonly root = new Group();
  private readonly nearest = surface(false);
  private readonly tint = surface(true);
  private looks: readonly GhostLook[] = [];

  constructor() {
    this.clear();
  }

  /** Show these ghosts only. */
  set(looks: readonly GhostLook[], scenery: Scenery): void {
    this.looks = looks;
    this.dress(scenery);
  }

  /** Rebuild the ghosts from the robots' shapes, which may have changed. */
  dress(scenery: Scenery): void {
    this.clear();
    for (const { bodies, values } of this.looks) bodies.forEach((body, i) => this.add(body, values, i, scenery));
    this.root.visible = this.looks.length > 0;
  }

  dispose(): void {
    this.root.clear();
    this.nearest.dispose();
    this.tint.dispose();
  }

  private add(body: number, values: Float32Array, row: number, scenery: Scenery): void {
    const group = new Group();
    group.matrixAutoUpdate = false;
    readPose(values, row, group.matrix);
    for (const shape of scenery.shapesOf(body)) group.add(this.again(shape, this.nearest, ORDER), this.again(shape, this.tint, ORDER + 1));
    this.root.add(group);
  }

  /** Return a copy of a shape that shares its geometry. */
  private again(shape: Mesh, material: ShaderMaterial, order: number): Mesh {
    const mesh = new Mesh(shape.geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(shape.matrix);
    mesh.renderOrder = order;
    mesh.layers.set(VIRTUAL);
    return mesh;
  }

  /** Remove the ghosts; two empty meshes, never drawn, have the shaders compiled in advance. */
  private clear(): void {
    this.root.clear();
    this.root.add(new Mesh(undefined, this.nearest), new Mesh(undefined, this.tint));
    this.root.visible = false;
  }
}

function surface(seen: boolean): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { tint: { value: new Color(INFO) } },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    colorWrite: seen,
    depthWrite: !seen,
    toneMapped: false,
  });
}

const VERTEX = `
varying vec3 vNormal;
varying vec3 vEye;
void main() {
  vec4 place = modelViewMatrix * vec4(position, 1.0);
  vNormal = normalMatrix * normal;
  vEye = -place.xyz;
  // A little farther along the line of sight: where the robot is already, it lies in front.
  place.xyz += normalize(place.xyz) * 0.004;
  gl_Position = projectionMatrix * place;
}
`;

/** Denser towards the edges, so that the form and the objects behind it stay visible. */
const FRAGMENT = `
uniform vec3 tint;
varying vec3 vNormal;
varying vec3 vEye;
vec3 onScreen(vec3 linear) {
  return mix(1.055 * pow(linear, vec3(0.41666)) - 0.055, linear * 12.92, vec3(lessThanEqual(linear, vec3(0.0031308))));
}
void main() {
  float edge = 1.0 - abs(dot(normalize(vNormal), normalize(vEye)));
  gl_FragColor = vec4(onScreen(tint), mix(0.26, 0.7, edge * edge));
}
`;
