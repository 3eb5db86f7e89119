import assert from "node:assert/strict";
import { test } from "node:test";
import type { MeshData } from "../../src/view/api.ts";
import { MeshStore } from "../../src/view/meshStore.ts";
import { geom } from "./world.ts";

const MESH: MeshData = { vertices: Float32Array.from([0, 0, 0, 2, 0, 0, 0, 4, 6]), faces: Uint32Array.from([0, 1, 2]) };

function shelf(): { shelf: MeshStore; arrived: string[]; settled: Promise<void> } {
  const arrived: string[] = [];
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { shelf: new MeshStore((hash) => arrived.push(hash), () => settle()), arrived, settled };
}

const meshes = (...hashes: string[]) => hashes.map((mesh) => geom({ shape: "mesh", size: [], mesh }));

test("each mesh is fetched once, however many shapes have it, and its box is known", async () => {
  const { shelf: it, arrived, settled } = shelf();
  const asked: string[] = [];
  const fetch = (hash: string): Promise<MeshData> => {
    asked.push(hash);
    return Promise.resolve(MESH);
  };
  it.want([...meshes("a", "b", "a"), geom({})], fetch);
  it.want(meshes("b"), fetch);
  assert.equal(it.busy, true);
  await settled;
  assert.deepEqual([asked, arrived, it.busy], [["a", "b"], ["a", "b"], false]);
  assert.deepEqual(it.bounds.get("a"), { middle: [1, 2, 3], half: [1, 2, 3] });
});

test("a mesh that cannot be had is said, and asked for again by the next scene", async () => {
  const { shelf: it, settled } = shelf();
  it.want(meshes("a", "b"), (hash) => (hash === "a" ? Promise.reject(new Error("no")) : Promise.resolve(MESH)));
  await settled;
  assert.equal(it.problem, "One shape could not be loaded and is not drawn.");
  it.keep(meshes("a", "b"));
  assert.equal(it.problem, "");
  const again: string[] = [];
  it.want(meshes("a", "b"), (hash) => {
    again.push(hash);
    return Promise.resolve(MESH);
  });
  assert.deepEqual(again, ["a"]);
});

test("what a new scene has no use for is forgotten, also if it arrives late", async () => {
  const { shelf: it, arrived, settled } = shelf();
  it.want(meshes("late"), () => Promise.resolve(MESH));
  it.keep(meshes("other"));
  await settled;
  assert.deepEqual([arrived, it.bounds.size], [[], 0]);
});
