/** The background: dark, a little lighter at the horizon. */

import { BufferAttribute, BufferGeometry, Color, Mesh, ShaderMaterial, Vector3 } from "three";
import type { CameraPose } from "../painterProtocol.ts";
import { HORIZON, ZENITH } from "./viewColours.ts";

export class Sky {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;

  constructor() {
    const geometry = new BufferGeometry();
    // One triangle over the whole picture.
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 1, 3, -1, 1, -1, 3, 1]), 3));
    const material = new ShaderMaterial({
      uniforms: {
        horizon: { value: new Color(HORIZON).convertLinearToSRGB() },
        zenith: { value: new Color(ZENITH).convertLinearToSRGB() },
        forward: { value: new Vector3(1, 0, 0) },
        right: { value: new Vector3() },
        up: { value: new Vector3() },
      },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      depthWrite: false,
      toneMapped: false,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    // After all solid shapes: only empty pixels are filled.
    this.mesh.renderOrder = 2;
  }

  /** Look along the camera; `wide` and `tall` are the tangents of half its angles. */
  aim(camera: Pick<CameraPose, "forward" | "right" | "up">, wide: number, tall: number): void {
    const { forward, right, up } = this.mesh.material.uniforms as Record<string, { value: Vector3 }>;
    forward?.value.set(...camera.forward);
    right?.value.set(...camera.right).multiplyScalar(wide);
    up?.value.set(...camera.up).multiplyScalar(tall);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

const VERTEX = `
uniform vec3 forward;
uniform vec3 right;
uniform vec3 up;
varying vec3 vSight;
void main() {
  vSight = forward + right * position.x + up * position.y;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}
`;

const FRAGMENT = `
uniform vec3 horizon;
uniform vec3 zenith;
varying vec3 vSight;
void main() {
  float height = normalize(vSight).z;
  vec3 colour = mix(horizon, zenith, clamp(abs(height) * 1.8, 0.0, 1.0));
  // A trace of noise keeps the soft gradient free of bands.
  float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
  gl_FragColor = vec4(colour + noise / 255.0, 1.0);
}
`;
