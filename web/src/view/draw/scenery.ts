/** The shapes of all bodies: one mesh per body, two if parts are transparent. A body is rebuilt only when it changes. */

import { Box3, Group, Matrix4, Mesh } from "three";
import type { BufferGeometry, Vector3 } from "three";
import type { GeomLook } from "../../wire.gen.ts";
import type { MeshData } from "../api.ts";
import { POSE } from "../poseStore.ts";
import type { SceneLook } from "../painterProtocol.ts";
import { Ground } from "./ground.ts";
import { matrixOf, readPose } from "./poseMatrix.ts";
import { mergedParts, painted } from "./mergedParts.ts";
import { hullShape, meshShape, plainShape } from "./shapes.ts";
import { Surfaces } from "./materials.ts";
import type { Kind, Manner } from "./materials.ts";

const FIXED = -1;

/** A body: the group of its meshes, and the geometry that it owns. */
interface Body {
  readonly group: Group;
  readonly meshes: Mesh[];
  readonly own: BufferGeometry[];
  asleep: boolean;
}

/** Layer of aids for the operator, which the robots' cameras do not see. */
export const VIRTUAL = 1;

export class Scenery {
  readonly root = new Group();
  private readonly ground = new Ground();
  private readonly surfaces = new Surfaces();
  private readonly data = new Map<string, MeshData>();
  /** Geometry by form, and by form and colour, shared by all that have it. */
  private readonly shapes = new Map<string, BufferGeometry>();
  private readonly bodies = new Map<number, Body>();
  private readonly stale = new Set<number>();
  private look: SceneLook = { bodies: [], geoms: [], robots: [] };
  private touched = false;
  private manner: Manner = "fine";

  constructor() {
    this.root.add(this.ground.root);
  }

  /** Show a new scene; meshes that both scenes use are kept. */
  setScene(look: SceneLook): void {
    this.clear();
    this.look = look;
    const used = new Set(look.geoms.map((geom) => geom.mesh));
    for (const hash of this.data.keys()) if (!used.has(hash)) this.data.delete(hash);
    this.ground.set(look.geoms);
    this.ground.setManner(this.manner);
    for (let body = FIXED; body < look.bodies.length; body++) {
      const group = new Group();
      group.matrixAutoUpdate = false;
      // A body of unknown pose is hidden, not drawn at the origin.
      group.visible = body === FIXED;
      this.bodies.set(body, { group, meshes: [], own: [], asleep: false });
      this.root.add(group);
      this.stale.add(body);
    }
  }

  addMesh(hash: string, mesh: MeshData): void {
    this.data.set(hash, mesh);
    for (const geom of this.look.geoms) if (geom.mesh === hash) this.stale.add(geom.body);
  }

  /** Show the collision shapes, or the visible ones. */
  setTouched(touched: boolean): void {
    if (touched === this.touched) return;
    this.touched = touched;
    for (const body of this.bodies.keys()) this.stale.add(body);
  }

  setManner(manner: Manner): void {
    if (manner === this.manner) return;
    this.manner = manner;
    this.ground.setManner(manner);
    for (const body of this.bodies.values()) this.dress(body);
  }

  /** Set the poses of the bodies. */
  place(values: Float32Array): void {
    const count = Math.min(this.look.bodies.length, Math.floor(values.length / POSE));
    for (let i = 0; i < count; i++) {
      const group = this.bodies.get(i)?.group;
      if (group === undefined) continue;
      readPose(values, i, group.matrix);
      group.matrixWorldNeedsUpdate = true;
      group.visible = true;
    }
  }

  /** Darken the loose objects that sleep; return whether any changed. */
  setAsleep(bits: Uint8Array): boolean {
    let changed = false;
    this.look.bodies.forEach((look, i) => {
      const body = this.bodies.get(i);
      const asleep = look.robot === "" && (((bits[i >> 3] ?? 0) >> (i & 7)) & 1) === 1;
      if (body === undefined || body.asleep === asleep) return;
      body.asleep = asleep;
      this.dress(body);
      changed = true;
    });
    return changed;
  }

  /** Return the pose of a body; the world's for -1. */
  matrixOf(body: number): Matrix4 {
    return this.bodies.get(body)?.group.matrix ?? new Matrix4();
  }

  /** Return the meshes of a body that every view shows. */
  shapesOf(body: number): readonly Mesh[] {
    return (this.bodies.get(body)?.meshes ?? []).filter((mesh) => mesh.layers.isEnabled(0));
  }

  /** Find the middle of a body's top, for its label. */
  topOf(body: number, into: Vector3): void {
    const group = this.bodies.get(body)?.group;
    if (group === undefined) return;
    BOX.setFromObject(group);
    if (BOX.isEmpty()) into.setFromMatrixPosition(group.matrix);
    else BOX.getCenter(into).setZ(BOX.max.z);
  }

  /** Return whether the pose of a body is known. */
  placed(body: number): boolean {
    return body === FIXED || (this.bodies.get(body)?.group.visible ?? false);
  }

  /** Rebuild changed bodies, before drawing; return whether there were any. */
  refresh(): boolean {
    const changed = this.stale.size > 0;
    for (const number of this.stale) {
      const body = this.bodies.get(number);
      if (body !== undefined) this.make(number, body);
    }
    this.stale.clear();
    return changed;
  }

  dispose(): void {
    this.clear();
    this.ground.dispose();
    this.surfaces.dispose();
    this.data.clear();
  }

  private clear(): void {
    for (const body of this.bodies.values()) {
      empty(body);
      this.root.remove(body.group);
    }
    this.bodies.clear();
    this.stale.clear();
    for (const shape of this.shapes.values()) shape.dispose();
    this.shapes.clear();
  }

  private make(number: number, body: Body): void {
    empty(body);
    const shown = this.shown(number);
    for (const virtual of [false, true]) {
      const kind = shown.filter((geom) => geom.virtual === virtual);
      this.add(body, kind.filter((geom) => geom.colour[3] >= 1), false, virtual);
      this.add(body, kind.filter((geom) => geom.colour[3] < 1 && geom.colour[3] > 0), true, virtual);
    }
    this.dress(body);
  }

  /** Return the shapes of a body to draw; collision shapes are always opaque. */
  private shown(body: number): GeomLook[] {
    const geoms = this.look.geoms.filter((geom) => geom.body === body);
    if (!this.touched) return geoms.filter((geom) => geom.seen);
    return geoms.filter((geom) => geom.touched).map((geom) => ({ ...geom, colour: opaque(geom.colour) }));
  }

  /** Add shapes as one mesh: a single shape shares its geometry with equal ones, several are merged. */
  private add(body: Body, geoms: readonly GeomLook[], glass: boolean, virtual: boolean): void {
    const parts = geoms.flatMap((geom) => {
      const shape = this.paintedShape(geom);
      return shape === null ? [] : [{ shape, matrix: matrixOf(geom) }];
    });
    const [lone] = parts;
    if (lone === undefined) return;
    let mesh: Mesh;
    if (parts.length === 1) {
      mesh = new Mesh(lone.shape);
      mesh.matrix.copy(lone.matrix);
    } else {
      mesh = new Mesh(mergedParts(parts));
      body.own.push(mesh.geometry);
    }
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = !glass;
    mesh.receiveShadow = true;
    mesh.renderOrder = glass ? 3 : 0;
    if (virtual) mesh.layers.set(VIRTUAL);
    body.meshes.push(mesh);
    body.group.add(mesh);
  }

  private dress(body: Body): void {
    for (const mesh of body.meshes) {
      const kind: Kind = !mesh.castShadow ? "glass" : body.asleep ? "asleep" : "solid";
      mesh.material = this.surfaces.of(this.manner, kind);
    }
  }

  /** Return the geometry of a shape in its colour; null for a plane, or while its mesh is awaited. */
  private paintedShape(geom: GeomLook): BufferGeometry | null {
    const form = this.formOf(geom);
    return this.shared(`${form} ${geom.colour.join()}`, () => {
      const shape = this.shared(form, () => this.newShape(geom));
      return shape && painted(shape, geom.colour);
    });
  }

  private formOf(geom: GeomLook): string {
    if (geom.shape !== "mesh") return `${geom.shape} ${geom.size.join()}`;
    return this.touched ? `hull of ${geom.mesh}` : geom.mesh;
  }

  private newShape(geom: GeomLook): BufferGeometry | null {
    if (geom.shape !== "mesh") return plainShape(geom);
    const data = this.data.get(geom.mesh);
    if (data === undefined) return null;
    return this.touched ? hullShape(data) : meshShape(data);
  }

  private shared(key: string, make: () => BufferGeometry | null): BufferGeometry | null {
    const known = this.shapes.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (made !== null) this.shapes.set(key, made);
    return made;
  }
}

function opaque([r, g, b]: GeomLook["colour"]): GeomLook["colour"] {
  return [r, g, b, 1];
}

function empty(body: Body): void {
  body.group.clear();
  for (const geometry of body.own) geometry.dispose();
  body.own.length = 0;
  body.meshes.length = 0;
}

const BOX = new Box3();
