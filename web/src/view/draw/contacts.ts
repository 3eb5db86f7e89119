/** Contact points: amber discs, larger for larger forces, of constant size on the screen. */

import { BufferGeometry, Color, DynamicDrawUsage, InterleavedBuffer, InterleavedBufferAttribute, Points, ShaderMaterial } from "three";
import { AMBER } from "./viewColours.ts";

const MAX_CONTACTS = 64;
/** Numbers per contact: x, y, z, force. */
const ROW = 4;

export class Contacts {
  readonly points: Points<BufferGeometry, ShaderMaterial>;
  private readonly rows = new InterleavedBuffer(new Float32Array(MAX_CONTACTS * ROW), ROW);

  constructor() {
    this.rows.setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new InterleavedBufferAttribute(this.rows, 3, 0));
    geometry.setAttribute("force", new InterleavedBufferAttribute(this.rows, 1, 3));
    geometry.setDrawRange(0, 0);
    const material = new ShaderMaterial({
      uniforms: { colour: { value: new Color(AMBER).convertLinearToSRGB() }, ratio: { value: 1 } },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthTest: false,
      depthWrite: false,
      toneMapped: false,
    });
    this.points = new Points(geometry, material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 5;
  }

  /** Show rows of x, y, z and force; return whether there is a visible change. */
  set(rows: Float32Array): boolean {
    const count = Math.min(Math.floor(rows.length / ROW), MAX_CONTACTS);
    const differs = this.differs(rows, count);
    if (!differs) return false;
    this.rows.set(rows.subarray(0, count * ROW), 0);
    this.rows.needsUpdate = true;
    this.points.geometry.setDrawRange(0, count);
    return true;
  }

  /** Set the real pixels per CSS pixel. */
  resize(ratio: number): void {
    const { ratio: uniform } = this.points.material.uniforms;
    if (uniform !== undefined) uniform.value = ratio;
  }

  dispose(): void {
    this.points.geometry.dispose();
    this.points.material.dispose();
  }

  private differs(rows: Float32Array, count: number): boolean {
    if (count !== this.points.geometry.drawRange.count) return true;
    for (let i = 0; i < count * ROW; i++) {
      const limit = i % ROW < 3 ? 5e-4 : 0.5;
      if (Math.abs((rows[i] ?? 0) - (this.rows.array[i] ?? 0)) > limit) return true;
    }
    return false;
  }
}

const VERTEX = `
attribute float force;
uniform float ratio;
varying float vSize;
void main() {
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
  vSize = ratio * clamp(8.0 + 2.2 * sqrt(max(force, 0.0)), 8.0, 30.0);
  gl_PointSize = vSize;
}
`;

// A disc with a thin dark rim, its edges one pixel soft.
const FRAGMENT = `
uniform vec3 colour;
uniform float ratio;
varying float vSize;
void main() {
  float inside = (0.5 - length(gl_PointCoord - 0.5)) * vSize;
  float disc = clamp(inside, 0.0, 1.0);
  float middle = clamp(inside - 1.2 * ratio, 0.0, 1.0);
  gl_FragColor = vec4(mix(vec3(0.055, 0.07, 0.082), colour, middle), disc * 0.92);
}
`;
