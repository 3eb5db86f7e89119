/** Fetches the meshes of a cell. They are named by their hash, so the browser may cache them for good. */

import { decode } from "@msgpack/msgpack";

export interface Mesh {
  vertices: Float32Array;
  faces: Uint32Array;
}

/** Return a function that fetches a mesh of this cell by its hash. */
export function meshes(cell: string, token: string): (hash: string) => Promise<Mesh> {
  return async (hash) => {
    const path = `./mesh/${encodeURIComponent(cell)}/${encodeURIComponent(hash)}`;
    const response = await fetch(path, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`The server does not send the mesh ${hash} (status ${response.status}).`);
    return meshOf(decode(await response.arrayBuffer()));
  };
}

/** Return the mesh in a decoded answer. */
export function meshOf(value: unknown): Mesh {
  if (typeof value !== "object" || value === null || !("vertices" in value) || !("faces" in value)) throw NO_MESH;
  const { vertices, faces } = value;
  if (!(vertices instanceof Uint8Array) || !(faces instanceof Uint8Array)) throw NO_MESH;
  return { vertices: new Float32Array(aligned(vertices)), faces: new Uint32Array(aligned(faces)) };
}

const NO_MESH = new Error("The answer holds no mesh.");

/** Return a copy that starts at a multiple of four bytes, as typed arrays need it. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer;
}
