import assert from "node:assert/strict";
import { test } from "node:test";
import { Box3, Matrix4, Vector3 } from "three";
import type { BufferGeometry } from "three";
import { creased } from "../../src/view/draw/creases.ts";
import { mergedParts, painted } from "../../src/view/draw/mergedParts.ts";
import { hullShape, meshShape, plainShape } from "../../src/view/draw/shapes.ts";
import { boundOf, meshBound } from "../../src/view/shapeBounds.ts";
import type { GeomLook } from "../../src/wire.gen.ts";
import { geom, near } from "./world.ts";

const CUBE = {
  vertices: Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]),
  faces: Uint32Array.from(
    [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7],
  ),
};

function extent(geometry: BufferGeometry): number[] {
  geometry.computeBoundingBox();
  return (geometry.boundingBox ?? new Box3()).getSize(new Vector3()).toArray();
}

const SIZES: [GeomLook["shape"], number[], number[]][] = [
  ["box", [0.1, 0.2, 0.3], [0.2, 0.4, 0.6]],
  ["sphere", [0.1, 0, 0], [0.2, 0.2, 0.2]],
  ["ellipsoid", [0.1, 0.2, 0.3], [0.2, 0.4, 0.6]],
  ["cylinder", [0.1, 0.3, 0], [0.2, 0.2, 0.6]],
  ["capsule", [0.1, 0.3, 0], [0.2, 0.2, 0.8]],
];

for (const [shape, size, wanted] of SIZES) {
  test(`a ${shape} is drawn, and framed, as large as the physics has it`, () => {
    const geometry = plainShape({ shape, size });
    assert.ok(geometry);
    near(extent(geometry), wanted, 1e-6);
    const bound = boundOf(geom({ shape, size }), new Map());
    near(bound?.half.map((half) => 2 * half) ?? [], wanted, 1e-6);
  });
}

test("normals point outwards and are of unit length", () => {
  for (const [shape, size] of SIZES) {
    const geometry = plainShape({ shape, size });
    assert.ok(geometry);
    const [places, normals] = [geometry.getAttribute("position"), geometry.getAttribute("normal")];
    for (let i = 0; i < places.count; i++) {
      const place = new Vector3().fromBufferAttribute(places, i);
      const normal = new Vector3().fromBufferAttribute(normals, i);
      near([normal.length()], [1], 1e-5);
      assert.ok(place.dot(normal) > 0, `${shape}: vertex ${i}`);
    }
  }
});

test("a cube keeps its edges: three normals at each corner, one for each side", () => {
  const { positions, normals, indices } = creased(CUBE);
  assert.equal(positions.length / 3, 24);
  assert.equal(indices.length, 36);
  for (let i = 0; i < normals.length; i += 3) {
    near([Math.max(...[0, 1, 2].map((axis) => Math.abs(normals[i + axis] ?? 0)))], [1], 1e-6);
  }
});

test("where the bend is gentle the surface is smooth: one normal at each point, also if points come twice", () => {
  const flat = { ...CUBE };
  assert.equal(creased(flat, Math.PI).positions.length / 3, 8);
  const torn = {
    vertices: Float32Array.from(CUBE.faces.reduce<number[]>((all, i) => all.concat([...CUBE.vertices.subarray(i * 3, i * 3 + 3)]), [])),
    faces: Uint32Array.from(CUBE.faces.keys()),
  };
  assert.equal(creased(torn, Math.PI).positions.length / 3, 8);
});

test("faces that name no vertex or have no area are left out", () => {
  const broken = { vertices: CUBE.vertices, faces: Uint32Array.from([0, 1, 99, 2, 2, 3, 0, 2, 1]) };
  assert.equal(creased(broken).indices.length, 3);
});

test("the hull of a mesh is what the physics touches with: hollows are filled", () => {
  // A cube with a dent in its upper side: the dent's vertex lies inside of the hull.
  const dented = {
    vertices: Float32Array.from([...CUBE.vertices, 0.5, 0.5, 0.5]),
    faces: Uint32Array.from([...CUBE.faces.slice(0, 6), ...CUBE.faces.slice(12), 4, 5, 8, 5, 6, 8, 6, 7, 8, 7, 4, 8]),
  };
  const places = hullShape(dented).getAttribute("position");
  for (let i = 0; i < places.count; i++) {
    const corner = [places.getX(i), places.getY(i), places.getZ(i)];
    assert.ok(corner.every((value) => value === 0 || value === 1), `corner ${corner.join()}`);
  }
  near(extent(hullShape(dented)), [1, 1, 1]);
  assert.ok([...meshShape(dented).getAttribute("position").array].includes(0.5));
});

test("the box around a mesh has its middle and half lengths", () => {
  const bound = meshBound(CUBE);
  assert.deepEqual(bound, { middle: [0.5, 0.5, 0.5], half: [0.5, 0.5, 0.5] });
  assert.equal(meshBound({ vertices: new Float32Array(), faces: new Uint32Array() }), null);
});

test("parts of several colours become one geometry in their places", () => {
  const box = plainShape({ shape: "box", size: [0.1, 0.1, 0.1] });
  const ball = plainShape({ shape: "sphere", size: [0.1] });
  assert.ok(box && ball);
  const parts = [
    { shape: painted(box, [1, 0, 0, 1]), matrix: new Matrix4() },
    { shape: painted(ball, [0, 0, 1, 1]), matrix: new Matrix4().makeTranslation(1, 0, 0) },
  ];
  const merged = mergedParts(parts);
  near(extent(merged), [1.2, 0.2, 0.2], 1e-6);
  const colours = merged.getAttribute("color");
  assert.deepEqual([colours.getX(0), colours.getZ(0)], [1, 0]);
  assert.deepEqual([colours.getX(colours.count - 1), colours.getZ(colours.count - 1)], [0, 1]);
});

test("glass keeps its opacity in its vertices", () => {
  const box = plainShape({ shape: "box", size: [0.1, 0.1, 0.1] });
  assert.ok(box);
  const colours = painted(box, [1, 1, 1, 0.25]).getAttribute("color");
  assert.deepEqual([colours.itemSize, colours.getW(0)], [4, 0.25]);
});
