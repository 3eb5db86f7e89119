/** Fetches the meshes of a scene, each once, and counts those that failed. */

import { texts } from "../language/language.ts";
import type { GeomLook } from "../wire.gen.ts";
import type { MeshData } from "./api.ts";
import { meshBound } from "./shapeBounds.ts";
import type { Vec3 } from "./math.ts";

export class MeshStore {
  /** Boxes around the meshes that have arrived. */
  readonly bounds = new Map<string, { middle: Vec3; half: Vec3 }>();
  private readonly asked = new Set<string>();
  private readonly failed = new Set<string>();
  private waiting = 0;
  private readonly arrived: (hash: string, mesh: MeshData) => void;
  private readonly settled: () => void;

  /** `arrived` is called for each mesh, `settled` whenever no mesh is awaited any more. */
  constructor(arrived: (hash: string, mesh: MeshData) => void, settled: () => void) {
    this.arrived = arrived;
    this.settled = settled;
  }

  /** A sentence about meshes that failed, or empty. */
  get problem(): string {
    return this.failed.size === 0 ? "" : texts().view.shapesMissing(this.failed.size);
  }

  /** True while meshes are awaited. */
  get busy(): boolean {
    return this.waiting > 0;
  }

  /** Drop the meshes that a new scene does not use. */
  keep(geoms: readonly GeomLook[]): void {
    const used = new Set(geoms.map((geom) => geom.mesh));
    for (const hash of this.asked) {
      if (!used.has(hash) || this.failed.has(hash)) this.asked.delete(hash);
    }
    for (const hash of this.bounds.keys()) if (!used.has(hash)) this.bounds.delete(hash);
    this.failed.clear();
  }

  /** Fetch the meshes of these shapes that were not fetched yet. */
  want(geoms: readonly GeomLook[], fetch: (hash: string) => Promise<MeshData>): void {
    for (const geom of geoms) {
      if (geom.shape !== "mesh" || this.asked.has(geom.mesh)) continue;
      this.asked.add(geom.mesh);
      void this.get(geom.mesh, fetch);
    }
  }

  private async get(hash: string, fetch: (hash: string) => Promise<MeshData>): Promise<void> {
    this.waiting += 1;
    try {
      const mesh = await fetch(hash);
      if (!this.asked.has(hash)) return;
      const bound = meshBound(mesh);
      if (bound !== null) this.bounds.set(hash, bound);
      this.arrived(hash, mesh);
    } catch {
      // Counted for `problem`.
      if (this.asked.has(hash)) this.failed.add(hash);
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.settled();
    }
  }
}
