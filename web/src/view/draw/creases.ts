/** Normals of a triangle mesh: smooth across gentle bends, sharp across creases. Pure. */

import type { MeshData } from "../api.ts";

/** A mesh for drawing: vertices are split at creases. */
export interface Surface {
  positions: Float32Array;
  normals: Float32Array;
  indices: Uint32Array;
}

/** Angle between faces from which their edge is sharp, rad. */
export const CREASE = (38 * Math.PI) / 180;
/** Cosine above which two normals share a vertex. */
const SAME_NORMAL = 1 - 1e-4;
/** Distance within which vertices are one, m. */
const WELD_M = 1e-6;

/** Return the mesh with a normal at each corner: the sum over the faces around it that bend gently, by their area. */
export function creased(mesh: MeshData, crease = CREASE): Surface {
  const weld = welded(mesh.vertices);
  const faces = sound(mesh, weld);
  const { normals: faceNormals, units } = normalsOf(mesh.vertices, faces);
  const { starts, around } = facesAround(weld, faces);
  const limit = Math.cos(crease);
  const positions: number[] = [];
  const normals: number[] = [];
  const indices = new Uint32Array(faces.length);
  // The vertices made at each welded point, as a linked list.
  const first = new Int32Array(mesh.vertices.length / 3).fill(-1);
  const next: number[] = [];

  for (let corner = 0; corner < faces.length; corner++) {
    const face = Math.floor(corner / 3) * 3;
    const point = weld[at(faces, corner)] ?? 0;
    let [x, y, z] = [0, 0, 0];
    for (let i = at(starts, point); i < at(starts, point + 1); i++) {
      const other = at(around, i) * 3;
      const bend = at(units, face) * at(units, other) + at(units, face + 1) * at(units, other + 1) + at(units, face + 2) * at(units, other + 2);
      if (bend < limit) continue;
      x += at(faceNormals, other);
      y += at(faceNormals, other + 1);
      z += at(faceNormals, other + 2);
    }
    const size = Math.hypot(x, y, z) || 1;
    indices[corner] = vertex(point, x / size, y / size, z / size);
  }
  return { positions: Float32Array.from(positions), normals: Float32Array.from(normals), indices };

  function vertex(point: number, x: number, y: number, z: number): number {
    for (let made = at(first, point); made >= 0; made = next[made] ?? -1) {
      const like = x * (normals[made * 3] ?? 0) + y * (normals[made * 3 + 1] ?? 0) + z * (normals[made * 3 + 2] ?? 0);
      if (like > SAME_NORMAL) return made;
    }
    const made = next.length;
    positions.push(at(mesh.vertices, point * 3), at(mesh.vertices, point * 3 + 1), at(mesh.vertices, point * 3 + 2));
    normals.push(x, y, z);
    next.push(at(first, point));
    first[point] = made;
    return made;
  }
}

function at(array: Float32Array | Int32Array | Uint32Array, index: number): number {
  return array[index] ?? 0;
}

/** Return for each vertex the first one at the same place. */
function welded(vertices: Float32Array): Uint32Array {
  const count = Math.floor(vertices.length / 3);
  const weld = new Uint32Array(count);
  const seen = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const cell = [0, 1, 2].map((axis) => Math.round(at(vertices, i * 3 + axis) / WELD_M)).join();
    const same = seen.get(cell);
    weld[i] = same ?? i;
    if (same === undefined) seen.set(cell, i);
  }
  return weld;
}

/** Return the faces whose corners exist and are three different places. */
function sound(mesh: MeshData, weld: Uint32Array): Uint32Array {
  const kept: number[] = [];
  for (let i = 0; i + 2 < mesh.faces.length; i += 3) {
    const corners = [at(mesh.faces, i), at(mesh.faces, i + 1), at(mesh.faces, i + 2)] as const;
    const [a, b, c] = corners.map((corner) => weld[corner]);
    if (a === undefined || b === undefined || c === undefined) continue;
    if (a !== b && b !== c && c !== a) kept.push(...corners);
  }
  return Uint32Array.from(kept);
}

/** Return each face's normal, as long as twice its area, and its unit normal. */
function normalsOf(vertices: Float32Array, faces: Uint32Array): { normals: Float32Array; units: Float32Array } {
  const normals = new Float32Array(faces.length);
  const units = new Float32Array(faces.length);
  for (let i = 0; i < faces.length; i += 3) {
    const [a, b, c] = [at(faces, i) * 3, at(faces, i + 1) * 3, at(faces, i + 2) * 3];
    const [ax, ay, az] = [at(vertices, a), at(vertices, a + 1), at(vertices, a + 2)];
    const [ux, uy, uz] = [at(vertices, b) - ax, at(vertices, b + 1) - ay, at(vertices, b + 2) - az];
    const [vx, vy, vz] = [at(vertices, c) - ax, at(vertices, c + 1) - ay, at(vertices, c + 2) - az];
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx] as const;
    const size = Math.hypot(...normal) || 1;
    normals.set(normal, i);
    units.set([normal[0] / size, normal[1] / size, normal[2] / size], i);
  }
  return { normals, units };
}

/** Return the faces around each welded vertex: those of vertex v are around[starts[v]] … around[starts[v + 1] - 1]. */
function facesAround(weld: Uint32Array, faces: Uint32Array): { starts: Uint32Array; around: Uint32Array } {
  const starts = new Uint32Array(weld.length + 1);
  for (const corner of faces) starts[at(weld, corner) + 1] = at(starts, at(weld, corner) + 1) + 1;
  for (let i = 0; i < weld.length; i++) starts[i + 1] = at(starts, i + 1) + at(starts, i);
  const filled = starts.slice();
  const around = new Uint32Array(faces.length);
  faces.forEach((corner, i) => {
    const point = at(weld, corner);
    around[at(filled, point)] = Math.floor(i / 3);
    filled[point] = at(filled, point) + 1;
  });
  return { starts, around };
}
