/** Frames as three slim arrows, x red, y green, z blue, drawn over the shapes. */

import { BufferAttribute, Color, ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import type { BufferGeometry } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { Place } from "../../wire.gen.ts";
import { gaps } from "./gaps.ts";
import { matrixOf } from "./matrix.ts";
import { AXES } from "./palette.ts";
import type { Scenery } from "./scenery.ts";
import { Label, LABEL } from "./text.ts";

type Axis = keyof typeof AXES;

/** Frames of one kind share a geometry of length 1 and a material. `slim` is the shafts' radius. */
export class AxesKit {
  readonly geometry: BufferGeometry;
  readonly material = new MeshBasicMaterial({ vertexColors: true, toneMapped: false });

  constructor(slim: number) {
    this.geometry = arrows(slim);
  }

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
  private readonly rank: number;
  private name: Label | null = null;

  /** `length` in metres; `letters` writes x, y, z at the arrows; `rank` 0 puts its name into the
   * widest gap between them, 1 into the next. */
  constructor(kit: AxesKit, place: Place, length: number, letters: boolean, rank: 0 | 1) {
    this.place = place;
    this.rank = rank;
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

  /** Put the name where the arrows leave most room on the screen, or second most. */
  face(right: Vector3, up: Vector3): void {
    if (this.name === null) return;
    const angles = [0, 1, 2].map((axis) => {
      ARROW.setFromMatrixColumn(this.root.matrix, axis);
      return Math.atan2(ARROW.dot(up), ARROW.dot(right));
    });
    const angle = gaps(angles)[this.rank] ?? 0;
    this.name.sprite.center.set(0.5 - 0.62 * Math.cos(angle), 0.5 - 1.05 * Math.sin(angle));
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
    this.name = new Label(name, { ...LABEL, size: 11 });
    this.keep(this.name);
  }

  private keep(label: Label): void {
    this.labels.push(label);
    this.root.add(label.sprite);
  }
}

function arrows(slim: number): BufferGeometry {
  const parts = [painted(new SphereGeometry(slim * 2.2, 12, 8), 0xe6ebef)];
  for (const axis of ["x", "y", "z"] as const) {
    const shaft = new CylinderGeometry(slim, slim, 0.84, 10).translate(0, 0.42, 0);
    const head = new ConeGeometry(slim * 3, 0.18, 14).translate(0, 0.91, 0);
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

const ARROW = new Vector3();
