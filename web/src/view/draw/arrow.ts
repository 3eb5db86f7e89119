/** A force arrow between two points of the world, drawn over the shapes. */

import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from "three";
import type { ArrowLook } from "../painterProtocol.ts";
import { ALARM } from "./viewColours.ts";

/** Radius of the shaft and length of the head, as shares of the size given with the arrow. */
const SHAFT = 0.025;
const HEAD = 0.12;

export class Arrow {
  readonly root = new Group();
  private readonly material = new MeshBasicMaterial({ color: ALARM, toneMapped: false });
  private readonly shaft = new Mesh(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), this.material);
  private readonly head = new Mesh(new ConeGeometry(1, 1, 14).translate(0, 0.5, 0), this.material);

  constructor() {
    this.root.add(this.shaft, this.head);
    this.root.visible = false;
  }

  set(look: ArrowLook | null): void {
    this.root.visible = look !== null;
    if (look === null) return;
    const way = new Vector3(...look.to).sub(FROM.set(...look.from));
    const length = way.length();
    const head = Math.min(HEAD * look.size, length);
    this.root.position.copy(FROM);
    this.root.quaternion.setFromUnitVectors(UP, way.normalize());
    this.shaft.scale.set(SHAFT * look.size, Math.max(length - head, 1e-6), SHAFT * look.size);
    this.head.scale.set(head * 0.45, head, head * 0.45);
    this.head.position.y = length - head;
  }

  dispose(): void {
    this.shaft.geometry.dispose();
    this.head.geometry.dispose();
    this.material.dispose();
  }
}

const UP = new Vector3(0, 1, 0);
const FROM = new Vector3();
