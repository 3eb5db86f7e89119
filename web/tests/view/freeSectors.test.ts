import { test } from "node:test";
import { gaps } from "../../src/view/draw/freeSectors.ts";
import { near } from "./world.ts";

const DEGREE = Math.PI / 180;

test("the middles of the gaps between arrows, widest first, also across the seam", () => {
  const middles = gaps([170 * DEGREE, -170 * DEGREE, 0]).map((angle) => angle / DEGREE);
  near(middles.map((angle) => Math.round(Math.cos(angle * DEGREE) * 1e6) / 1e6), [-85, 85, 180].map((angle) => Math.round(Math.cos(angle * DEGREE) * 1e6) / 1e6));
  near(middles.map((angle) => Math.abs(Math.sin(angle * DEGREE))), [85, 85, 180].map((angle) => Math.abs(Math.sin(angle * DEGREE))), 1e-9);
});
