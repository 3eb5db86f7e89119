/** Frames as three slim arrows, x red, y green, z blue, drawn over the shapes. */

import { BufferAttribute, Color, ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import type { BufferGeometry } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { Place } from "../../wire.gen.ts";
import { gaps } from "./freeSectors.ts";
import { matrixOf } from "./poseMatrix.ts";
import { AXES } from "./viewColours.ts";
import type { Scenery } from "./scenery.ts";
import { Label, LABEL } from "./labels.ts";

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

/** The style of a frame. */
export interface AxesStyle {
  /** Length of the arrows, m. */
  readonly length: number;
  /** Longest length on the screen, CSS pixels. */
  readonly longest: number;
  /** Write x, y, z at the arrows. */
  readonly letters: boolean;
  /** The gap between the arrows for the name, widest (0) or next (1), and the name's distance, CSS pixels. */
  readonly gap: 0 | 1;
  readonly away: number;
}

/** The camera as frames and labels need it. */
export interface Sight {
  readonly eye: Vector3;
  readonly right: Vector3;
  readonly up: Vector3;
  readonly forward: Vector3;
  /** Size of a CSS pixel at a distance of one metre, m. */
  readonly pixel: number;
}

/** A frame that follows a body. */
export class Axes {
  readonly root = new Group();
  private readonly place: Place;
  private readonly style: AxesStyle;
  private readonly mesh: Mesh;
  private readonly letters: { label: Label; axis: Axis }[] = [];
  private readonly name: Label | null;

  constructor(kit: AxesKit, place: Place, style: AxesStyle) {
    this.place = place;
    this.style = style;
    this.mesh = new Mesh(kit.geometry, kit.material);
    this.root.matrixAutoUpdate = false;
    this.root.add(this.mesh);
    if (style.letters) for (const axis of ["x", "y", "z"] as const) this.letters.push({ label: letter(axis), axis });
    this.name = place.name === "" ? null : new Label(place.name, { ...LABEL, size: 11 });
    for (const label of this.labels()) this.root.add(label.sprite);
  }

  follow(scenery: Scenery): void {
    this.root.visible = scenery.placed(this.place.body);
    this.root.matrix.multiplyMatrices(scenery.matrixOf(this.place.body), matrixOf(this.place));
    this.root.matrixWorldNeedsUpdate = true;
  }

  /** Keep the sizes on the screen, and put the name in a gap between the arrows. */
  face(sight: Sight): void {
    const { length, longest, gap, away } = this.style;
    const depth = POINT.setFromMatrixPosition(this.root.matrix).sub(sight.eye).dot(sight.forward);
    const shown = Math.min(length, longest * sight.pixel * Math.max(depth, 0.01));
    this.mesh.scale.setScalar(shown);
    for (const { label, axis } of this.letters) label.sprite.position[axis] = shown * 1.14;
    for (const label of this.labels()) label.resize(sight.pixel);
    const angles = [0, 1, 2].map((axis) => {
      POINT.setFromMatrixColumn(this.root.matrix, axis);
      return Math.atan2(POINT.dot(sight.up), POINT.dot(sight.right));
    });
    this.name?.beside(gaps(angles)[gap] ?? 0, away);
  }

  dispose(): void {
    for (const label of this.labels()) label.dispose();
  }

  private labels(): Label[] {
    const letters = this.letters.map(({ label }) => label);
    return this.name === null ? letters : [...letters, this.name];
  }
}

function letter(axis: Axis): Label {
  return new Label(axis, { size: 12, colour: `#${new Color(AXES[axis]).getHexString()}`, plate: false });
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

const POINT = new Vector3();
