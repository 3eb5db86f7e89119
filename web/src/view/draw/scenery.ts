/** The shapes on their bodies. Shapes of one body and colour are merged; each body is made anew only when it must be. */

import { Box3, Group, Matrix4, Mesh } from "three";
import type { BufferGeometry, Material, Vector3 } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { GeomLook } from "../../wire.gen.ts";
import type { MeshData } from "../api.ts";
import { POSE } from "../poses.ts";
import type { SceneLook } from "../protocol.ts";
import { Ground } from "./ground.ts";
import { Materials } from "./materials.ts";
import { matrixOf, readPose } from "./matrix.ts";
import { hullShape, meshShape, plainShape } from "./shapes.ts";

const FIXED = -1;

/** A body: what carries its shapes, and what of it must be given back. */
interface Body {
  readonly group: Group;
  readonly meshes: Mesh[];
  readonly own: BufferGeometry[];
  colours: GeomLook["colour"][];
  asleep: boolean;
}

export class Scenery {
  readonly root = new Group();
  readonly ground = new Ground();
  private readonly materials = new Materials();
  private readonly data = new Map<string, MeshData>();
  private readonly shapes = new Map<string, BufferGeometry>();
  private readonly bodies = new Map<number, Body>();
  private readonly stale = new Set<number>();
  private look: SceneLook = { bodies: [], geoms: [], robots: [] };
  private touched = false;

  constructor() {
    this.root.add(this.ground.root);
  }

  /** Take over a new world; what both worlds use is kept. */
  setScene(look: SceneLook): void {
    this.clear();
    this.look = look;
    const used = new Set(look.geoms.map((geom) => geom.mesh));
    for (const hash of this.data.keys()) if (!used.has(hash)) this.data.delete(hash);
    this.ground.set(look.geoms);
    for (let body = FIXED; body < look.bodies.length; body++) {
      const group = new Group();
      group.matrixAutoUpdate = false;
      // A body whose place is not known yet is not drawn at the origin.
      group.visible = body === FIXED;
      this.bodies.set(body, { group, meshes: [], own: [], colours: [], asleep: false });
      this.root.add(group);
      this.stale.add(body);
    }
  }

  addMesh(hash: string, mesh: MeshData): void {
    this.data.set(hash, mesh);
    for (const geom of this.look.geoms) if (geom.mesh === hash) this.stale.add(geom.body);
  }

  /** Show the shapes that touch, or those that are meant to be seen. */
  setTouched(touched: boolean): void {
    if (touched === this.touched) return;
    this.touched = touched;
    for (const body of this.bodies.keys()) this.stale.add(body);
  }

  /** Put the bodies where they are. */
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

  /** Darken the loose objects that sleep; return whether that changed anything. */
  setAsleep(bits: Uint8Array): boolean {
    let changed = false;
    this.look.bodies.forEach((look, i) => {
      const body = this.bodies.get(i);
      const asleep = look.robot === "" && (((bits[i >> 3] ?? 0) >> (i & 7)) & 1) === 1;
      if (body === undefined || body.asleep === asleep) return;
      body.asleep = asleep;
      this.paint(body);
      changed = true;
    });
    return changed;
  }

  /** Return where a body is; the world's own frame for -1. */
  matrixOf(body: number): Matrix4 {
    return this.bodies.get(body)?.group.matrix ?? new Matrix4();
  }

  /** Find the middle of a body's upper end, for what stands above it. */
  topOf(body: number, into: Vector3): void {
    const group = this.bodies.get(body)?.group;
    if (group === undefined) return;
    BOX.setFromObject(group);
    if (BOX.isEmpty()) into.setFromMatrixPosition(group.matrix);
    else BOX.getCenter(into).setZ(BOX.max.z);
  }

  /** True once the place of a body is known. */
  placed(body: number): boolean {
    return body === FIXED || (this.bodies.get(body)?.group.visible ?? false);
  }

  /** Make anew what changed; to be called before drawing. Returns whether anything did. */
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
    this.materials.dispose();
    this.ground.dispose();
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
    this.materials.dispose();
  }

  private make(number: number, body: Body): void {
    empty(body);
    for (const geoms of byColour(this.shown(number))) {
      const parts = geoms.flatMap((geom) => {
        const shape = this.shape(geom);
        return shape === null ? [] : [{ shape, matrix: matrixOf(geom) }];
      });
      const [first] = geoms;
      if (first === undefined || parts.length === 0) continue;
      this.add(body, parts, first.colour);
    }
    this.paint(body);
  }

  /** Add parts of one colour: a lone one shares its geometry with its likes, several become one. */
  private add(body: Body, parts: { shape: BufferGeometry; matrix: Matrix4 }[], colour: GeomLook["colour"]): void {
    const [lone] = parts;
    if (lone === undefined) return;
    let mesh: Mesh;
    if (parts.length === 1) {
      mesh = new Mesh(lone.shape);
      mesh.matrix.copy(lone.matrix);
    } else {
      const copies = parts.map(({ shape, matrix }) => shape.clone().applyMatrix4(matrix));
      mesh = new Mesh(mergeGeometries(copies));
      for (const copy of copies) copy.dispose();
      body.own.push(mesh.geometry);
    }
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    body.meshes.push(mesh);
    body.colours.push(colour);
    body.group.add(mesh);
  }

  private paint(body: Body): void {
    body.meshes.forEach((mesh, i) => {
      const colour = body.colours[i];
      if (colour === undefined) return;
      const material: Material = this.materials.of(colour, body.asleep);
      mesh.material = material;
      mesh.castShadow = !material.transparent;
    });
  }

  private shown(body: number): GeomLook[] {
    return this.look.geoms.filter((geom) => geom.body === body && (this.touched ? geom.touched : geom.seen));
  }

  /** Return the geometry of a shape, shared by all of the same form; null while its mesh is on its way. */
  private shape(geom: GeomLook): BufferGeometry | null {
    const hull = this.touched && geom.shape === "mesh";
    const key = geom.shape === "mesh" ? `${geom.mesh}${hull ? " hull" : ""}` : `${geom.shape} ${geom.size.join()}`;
    const known = this.shapes.get(key);
    if (known !== undefined) return known;
    const shape = geom.shape === "mesh" ? this.meshOf(geom.mesh, hull) : plainShape(geom);
    if (shape !== null) this.shapes.set(key, shape);
    return shape;
  }

  private meshOf(hash: string, hull: boolean): BufferGeometry | null {
    const data = this.data.get(hash);
    if (data === undefined) return null;
    return hull ? hullShape(data) : meshShape(data);
  }
}

function empty(body: Body): void {
  body.group.clear();
  for (const geometry of body.own) geometry.dispose();
  body.own.length = 0;
  body.meshes.length = 0;
  body.colours = [];
}

function byColour(geoms: readonly GeomLook[]): GeomLook[][] {
  const groups = new Map<string, GeomLook[]>();
  for (const geom of geoms) {
    if (geom.shape === "plane") continue;
    const key = geom.colour.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [geom]);
    else group.push(geom);
  }
  return [...groups.values()];
}

const BOX = new Box3();
