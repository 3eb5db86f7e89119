/** Frames as three slim arrows, x red, y green, z blue, drawn over the shapes. */

import { BufferAttribute, Color, ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import type { BufferGeometry } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { Place } from "../../wire.gen.ts";
import { AXES } from "./palette.ts";
import { matrixOf } from "./matrix.ts";
import type { Scenery } from "./scenery.ts";
import { Label, LABEL } from "./text.ts";

type Axis = keyof typeof AXES;

/** All frames share one geometry of length 1 and one material. */
export class AxesKit {
  readonly geometry = arrows();
  readonly material = new MeshBasicMaterial({ vertexColors: true, toneMapped: false });

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}

/** A frame that follows a body. */
export class Axes {
  readonly root = new Group();
  private readonly place: Place;
  private readonly labels: Label[] = [];

  /** `length` in metres; `letters` writes x, y, z at the arrows, and the frame's name is written below it. */
  constructor(kit: AxesKit, place: Place, length: number, letters: boolean) {
    this.place = place;
    const mesh = new Mesh(kit.geometry, kit.material);
    mesh.scale.setScalar(length);
    this.root.add(mesh);
    this.root.matrixAutoUpdate = false;
    if (letters) for (const axis of ["x", "y", "z"] as const) this.addLetter(axis, length);
    if (place.name !== "") this.addName(place.name);
  }

  follow(scenery: Scenery): void {
    this.root.visible = scenery.placed(this.place.body);
    this.root.matrix.multiplyMatrices(scenery.matrixOf(this.place.body), matrixOf(this.place));
    this.root.matrixWorldNeedsUpdate = true;
  }

  resize(pixel: number): void {
    for (const label of this.labels) label.resize(pixel);
  }

  dispose(): void {
    for (const label of this.labels) label.dispose();
  }

  private addLetter(axis: Axis, length: number): void {
    const colour = `#${new Color(AXES[axis]).getHexString()}`;
    const label = new Label(axis, { size: 12, colour, plate: false });
    label.sprite.position[axis] = length * 1.14;
    this.keep(label);
  }

  private addName(name: string): void {
    const label = new Label(name, { ...LABEL, size: 11 });
    label.sprite.center.set(-0.15, 1.4);
    this.keep(label);
  }

  private keep(label: Label): void {
    this.labels.push(label);
    this.root.add(label.sprite);
  }
}

function arrows(): BufferGeometry {
  const parts = [painted(new SphereGeometry(0.032, 12, 8), 0xe6ebef)];
  for (const axis of ["x", "y", "z"] as const) {
    const shaft = new CylinderGeometry(0.013, 0.013, 0.86, 10).translate(0, 0.43, 0);
    const head = new ConeGeometry(0.042, 0.16, 14).translate(0, 0.92, 0);
    for (const part of [shaft, head]) {
      if (axis === "x") part.rotateZ(-Math.PI / 2);
      if (axis === "z") part.rotateX(Math.PI / 2);
      parts.push(painted(part, AXES[axis]));
    }
  }
  const merged = mergeGeometries(parts);
  for (const part of parts) part.dispose();
  return merged;
}

function painted(geometry: BufferGeometry, colour: number): BufferGeometry {
  const { r, g, b } = new Color(colour);
  const count = geometry.getAttribute("position").count;
  const colours = Float32Array.from({ length: count * 3 }, (_, i) => [r, g, b][i % 3] ?? 0);
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
  geometry.deleteAttribute("uv");
  geometry.deleteAttribute("normal");
  return geometry;
}
