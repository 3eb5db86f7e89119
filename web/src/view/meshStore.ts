/** Fetches the meshes a scene needs, each once, and keeps count of what could not be had. */

import { texts } from "../language/language.ts";
import type { GeomLook } from "../wire.gen.ts";
import type { MeshData } from "./api.ts";
import { meshBound } from "./shapeBounds.ts";
import type { Vec3 } from "./math.ts";

export class MeshShelf {
  /** Boxes around the meshes that are there. */
  readonly bounds = new Map<string, { middle: Vec3; half: Vec3 }>();
  private readonly asked = new Set<string>();
  private readonly lost = new Set<string>();
  private waiting = 0;
  private readonly arrived: (hash: string, mesh: MeshData) => void;
  private readonly settled: () => void;

  /** `arrived` hears of each mesh, `settled` whenever nothing is on its way any more. */
  constructor(arrived: (hash: string, mesh: MeshData) => void, settled: () => void) {
    this.arrived = arrived;
    this.settled = settled;
  }

  /** A sentence about meshes that could not be had, or empty. */
  get problem(): string {
    return this.lost.size === 0 ? "" : texts().view.shapesMissing(this.lost.size);
  }

  /** True while meshes are on their way. */
  get busy(): boolean {
    return this.waiting > 0;
  }

  /** Forget what a new scene has no use for. */
  keep(geoms: readonly GeomLook[]): void {
    const used = new Set(geoms.map((geom) => geom.mesh));
    for (const hash of this.asked) {
      if (!used.has(hash) || this.lost.has(hash)) this.asked.delete(hash);
    }
    for (const hash of this.bounds.keys()) if (!used.has(hash)) this.bounds.delete(hash);
    this.lost.clear();
  }

  /** Ask for the meshes of these shapes that were not asked for yet. */
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
      // Said in `problem`; the page that fetched it knows more and says it itself.
      if (this.asked.has(hash)) this.lost.add(hash);
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.settled();
    }
  }
}
