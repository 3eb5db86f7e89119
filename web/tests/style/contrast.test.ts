import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { LINES } from "../../src/plots/plotColours.ts";

const LEAST = 4.5;

/** The tests run in the page's folder. */
const palette = new Map(
  [...readFileSync("src/style/palette.css", "utf8").matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6}(?:[0-9a-f]{2})?);/g)].map((match) => [
    match[1] ?? "",
    match[2] ?? "",
  ]),
);

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Text and the grounds on which it stands somewhere on the page. */
const PAIRS: readonly (readonly [string, readonly string[]])[] = [
  ["--text", ["--bg", "--panel", "--raised", "--pressed", "--calm-ground", "--track", "--stop-ground", "--info-ground"]],
  ["--mute", ["--bg", "--panel", "--raised", "--calm-ground", "--track"]],
  ["--ok", ["--panel", "--ok-ground"]],
  ["--info", ["--panel", "--info-ground"]],
  ["--warn", ["--bg", "--panel", "--raised", "--warn-ground"]],
  ["--alarm", ["--panel", "--stop-ground"]],
  ["--white", ["--stop", "--stop-over", "--stop-ground"]],
  ...LINES.map((line) => [line, ["--panel"]] as const),
];

function colour(name: string): string {
  const found = palette.get(name);
  assert.ok(found !== undefined, `the palette has no ${name}`);
  return found;
}

test("black and white differ by 21, as the standard says", () => {
  assert.equal(Math.round(contrast("#000000", "#ffffff")), 21);
});

for (const [text, grounds] of PAIRS) {
  test(`${text} can be read on ${grounds.join(", ")}`, () => {
    for (const ground of grounds) {
      const found = contrast(colour(text), colour(ground));
      assert.ok(found >= LEAST, `${text} on ${ground}: ${found.toFixed(2)}`);
    }
  });
}

test("on a plate over the brightest picture everything can be read", () => {
  const [r = 0, g = 0, b = 0, cover = 0] = [1, 3, 5, 7].map((at) => parseInt(colour("--plate").slice(at, at + 2), 16));
  const over = [r, g, b].map((part) => Math.round(255 + ((part - 255) * cover) / 255));
  const ground = `#${over.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  for (const text of ["--text", "--mute", "--warn", "--alarm"]) {
    const found = contrast(colour(text), ground);
    assert.ok(found >= LEAST, `${text} on ${ground}: ${found.toFixed(2)}`);
  }
});

/** Set by the page, and no colours. */
const COUNTS: ReadonlySet<string> = new Set(["--small"]);

test("every colour that the style sheets use is in the palette, and none is written elsewhere", () => {
  const main = readFileSync("src/style.css", "utf8");
  const sheets = [...main.matchAll(/"\.\/(style\/[\w-]+\.css)"/g)].map((match) => match[1] ?? "");
  assert.ok(sheets.length > 5);
  for (const sheet of sheets.filter((name) => !name.endsWith("palette.css"))) {
    const text = readFileSync(`src/${sheet}`, "utf8");
    for (const [, name = ""] of text.matchAll(/var\((--[\w-]+)\)/g)) if (!COUNTS.has(name)) colour(name);
    assert.deepEqual([...text.matchAll(/#[0-9a-f]{6}\b/g)].map(String), [], sheet);
  }
});
