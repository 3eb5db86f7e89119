/** Six small arrows around a tip: free directions faint, blocked ones red and crossed. */

import { CanvasTexture, ConeGeometry, CylinderGeometry, Group, Matrix4, Mesh, MeshBasicMaterial, Sprite, SpriteMaterial, SRGBColorSpace, Vector3 } from "three";
import type { BufferGeometry } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { RobotLook } from "../painterProtocol.ts";
import type { Sight } from "./axes.ts";
import { matrixOf } from "./poseMatrix.ts";
import { ALARM, FREE } from "./viewColours.ts";
import type { Scenery } from "./scenery.ts";
import { makeCanvas, penOf } from "./labels.ts";

/** Distances from the tip to the arrows' start, outside the ring that can be dragged, and to their end, CSS pixels. */
const START_PX = 24;
const END_PX = 46;
const CROSS_PX = 17;
/** Size of the cross's texture, pixels. */
const TEXTURE_PX = 64;
/** +x, +y, +z, -x, -y, -z. */
const DIRECTIONS: readonly Vector3[] = [1, -1].flatMap((sign) => [new Vector3(sign, 0, 0), new Vector3(0, sign, 0), new Vector3(0, 0, sign)]);

/** Resources that all of them share. */
export class FreeDirectionsKit {
  readonly arrow = arrow();
  readonly free = new MeshBasicMaterial({ color: FREE, transparent: true, opacity: 0.6, depthTest: false, depthWrite: false, toneMapped: false });
  readonly shut = new MeshBasicMaterial({ color: ALARM, transparent: true, depthTest: false, depthWrite: false, toneMapped: false });
  readonly cross = crossMaterial();

  dispose(): void {
    this.arrow.dispose();
    this.free.dispose();
    this.shut.dispose();
    this.cross.map?.dispose();
    this.cross.dispose();
  }
}

export class FreeDirections {
  readonly root = new Group();
  private readonly arrows: { mesh: Mesh; cross: Sprite }[];

  constructor(
    private readonly kit: FreeDirectionsKit,
    private readonly robot: RobotLook,
  ) {
    this.arrows = DIRECTIONS.map((direction) => {
      const [mesh, cross] = [new Mesh(kit.arrow, kit.free), new Sprite(kit.cross)];
      mesh.quaternion.setFromUnitVectors(UP, direction);
      mesh.renderOrder = 7;
      cross.position.copy(direction).multiplyScalar(END_PX);
      cross.renderOrder = 8;
      this.root.add(mesh, cross);
      return { mesh, cross };
    });
    this.root.visible = false;
  }

  /** Show which directions are free; an empty list hides the arrows. */
  set(ways: readonly boolean[]): void {
    this.root.visible = ways.length === this.arrows.length;
    this.arrows.forEach(({ mesh, cross }, i) => {
      const free = ways[i] ?? true;
      mesh.material = free ? this.kit.free : this.kit.shut;
      cross.visible = !free;
    });
  }

  /** Move to the tip, along the axes of the base. */
  follow(scenery: Scenery): void {
    const { base, tip } = this.robot;
    this.root.quaternion.setFromRotationMatrix(AT.multiplyMatrices(scenery.matrixOf(base.body), matrixOf(base)));
    this.root.position.setFromMatrixPosition(AT.multiplyMatrices(scenery.matrixOf(tip.body), matrixOf(tip)));
  }

  face(sight: Sight): void {
    const depth = Math.max(POINT.copy(this.root.position).sub(sight.eye).dot(sight.forward), 0.01);
    const metres = sight.pixel * depth;
    this.root.scale.setScalar(metres);
    // A sprite has a size on the screen: undo the scale of its parent.
    for (const { cross } of this.arrows) cross.scale.setScalar((CROSS_PX * sight.pixel) / metres);
  }
}

const UP = new Vector3(0, 1, 0);
const AT = new Matrix4();
const POINT = new Vector3();

/** Return an arrow along y, in CSS pixels from the tip. */
function arrow(): BufferGeometry {
  const head = 9;
  const shaft = END_PX - START_PX - head;
  const parts = [
    new CylinderGeometry(1.3, 1.3, shaft, 8).translate(0, START_PX + shaft / 2, 0),
    new ConeGeometry(4, head, 12).translate(0, END_PX - head / 2, 0),
  ];
  const merged = mergeGeometries(parts);
  for (const part of parts) part.dispose();
  return merged;
}

function crossMaterial(): SpriteMaterial {
  const canvas = makeCanvas();
  canvas.width = TEXTURE_PX;
  canvas.height = TEXTURE_PX;
  const pen = penOf(canvas);
  pen.lineCap = "round";
  const [near, far] = [TEXTURE_PX * 0.22, TEXTURE_PX * 0.78];
  for (const [style, width] of [["rgba(8, 11, 13, 0.75)", 18], ["#ff6b70", 9]] as const) {
    pen.strokeStyle = style;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(near, near);
    pen.lineTo(far, far);
    pen.moveTo(near, far);
    pen.lineTo(far, near);
    pen.stroke();
  }
  const map = new CanvasTexture(canvas as unknown as HTMLCanvasElement);
  map.colorSpace = SRGBColorSpace;
  return new SpriteMaterial({ map, sizeAttenuation: false, depthTest: false, depthWrite: false, toneMapped: false });
}
