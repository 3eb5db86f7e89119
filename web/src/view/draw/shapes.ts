/** Builds the geometry of each shape in the size of the physics, axis along z. */

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  SphereGeometry,
  Vector3,
} from "three";
import { ConvexHull } from "three/addons/math/ConvexHull.js";
import type { GeomLook } from "../../wire.gen.ts";
import type { MeshData } from "../api.ts";
import { creased } from "./creases.ts";

const ROUND = 32;

/** Return the geometry of a plain shape; null for planes and meshes, which are built elsewhere. */
export function plainShape(geom: Pick<GeomLook, "shape" | "size">): BufferGeometry | null {
  const [a = 0, b = 0, c = 0] = geom.size;
  switch (geom.shape) {
    case "box":
      return plain(new BoxGeometry(2 * a, 2 * b, 2 * c));
    case "sphere":
      return plain(new SphereGeometry(a, ROUND, ROUND / 2));
    case "ellipsoid":
      return plain(new SphereGeometry(1, ROUND, ROUND / 2).scale(a, b, c));
    case "cylinder":
      return plain(new CylinderGeometry(a, a, 2 * b, ROUND).rotateX(Math.PI / 2));
    case "capsule":
      return plain(new CapsuleGeometry(a, 2 * b, ROUND / 4, ROUND).rotateX(Math.PI / 2));
    case "plane":
    case "mesh":
      return null;
  }
}

/** Remove the unused texture coordinates, so that all shapes can be merged. */
function plain<T extends BufferGeometry>(geometry: T): T {
  geometry.deleteAttribute("uv");
  return geometry;
}

/** Return the visible shape of a mesh. */
export function meshShape(mesh: MeshData): BufferGeometry {
  const { positions, normals, indices } = creased(mesh);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}

/** Return the convex hull of a mesh: its collision shape. */
export function hullShape(mesh: MeshData): BufferGeometry {
  const points: Vector3[] = [];
  for (let i = 0; i + 2 < mesh.vertices.length; i += 3) points.push(new Vector3().fromArray(mesh.vertices, i));
  if (points.length < 4) return meshShape(mesh);
  const corners: number[] = [];
  for (const face of new ConvexHull().setFromPoints(points).faces) {
    let edge = face.edge;
    do {
      corners.push(...edge.head().point.toArray());
      edge = edge.next;
    } while (edge !== face.edge);
  }
  return meshShape({ vertices: Float32Array.from(corners), faces: Uint32Array.from(corners.keys()).slice(0, corners.length / 3) });
}
