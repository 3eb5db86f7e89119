// Builds the page: bundles named by their content, index.html beside them, and a check of the total size.
//
//   node build.mjs [--outdir DIR]        default: ../src/farhand/server/page, which the server serves
//
// The worker of the 3D view and the code of the audio thread are built first: the main bundle needs their hashed names.

import { build } from "esbuild";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { argv, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const HERE = dirname(fileURLToPath(import.meta.url));
const LIMIT_KB = 500;

const COMMON = {
  absWorkingDir: HERE,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  outdir: "out",
  entryNames: "assets/[name]-[hash]",
  chunkNames: "assets/[name]-[hash]",
  assetNames: "assets/[name]-[hash]",
  write: false,
  metafile: true,
  logLevel: "warning",
};

/** Return the folder to write to, from the command line. */
function outdir() {
  const at = argv.indexOf("--outdir");
  if (at < 0) return resolve(HERE, "../src/farhand/server/page");
  const given = argv[at + 1];
  if (given === undefined) throw new Error("--outdir needs a folder.");
  return resolve(given);
}

/** Bundle entries and return the files, each with its path below the page's folder. */
async function bundle(options) {
  const result = await build({ ...COMMON, ...options });
  const root = resolve(HERE, "out");
  const files = result.outputFiles.map((file) => ({ path: below(root, file.path), contents: file.contents }));
  const entry = Object.entries(result.metafile.outputs).find(([, output]) => output.entryPoint !== undefined);
  if (entry === undefined) throw new Error("The bundler made no entry.");
  return { files, entry: below(root, resolve(HERE, entry[0])), style: styleOf(root, entry[1]) };
}

function styleOf(root, output) {
  return output.cssBundle === undefined ? "" : below(root, resolve(HERE, output.cssBundle));
}

function below(root, path) {
  return relative(root, path).replaceAll("\\", "/");
}

/** Write all files, index.html last, then remove those of earlier builds, so that a running server keeps working. */
async function write(folder, files) {
  const assets = join(folder, "assets");
  await mkdir(assets, { recursive: true });
  const ordered = [...files].sort((a, b) => Number(a.path === "index.html") - Number(b.path === "index.html"));
  for (const file of ordered) await writeFile(join(folder, file.path), file.contents);
  const kept = new Set(files.map((file) => file.path));
  for (const name of await readdir(assets)) {
    if (!kept.has(`assets/${name}`)) await rm(join(assets, name), { recursive: true });
  }
}

/** Print the compressed size of each file and return the sum in kB. */
function weigh(files) {
  let total = 0;
  for (const file of files) {
    const size = gzipSync(file.contents, { level: 9 }).length / 1000;
    total += size;
    console.log(`${size.toFixed(1).padStart(8)} kB  ${file.path}`);
  }
  return total;
}

const worker = await bundle({ entryPoints: { "view-worker": "src/view/worker.ts" } });
const listener = await bundle({ entryPoints: { listener: "src/voice/worklet.ts" } });
const main = await bundle({
  entryPoints: { main: "src/main.tsx" },
  splitting: true,
  define: {
    VIEW_WORKER_URL: JSON.stringify(`./${worker.entry}`),
    LISTENER_URL: JSON.stringify(`./${listener.entry}`),
  },
});
const template = await readFile(join(HERE, "index.html"), "utf8");
const html = template.replace("{{main.js}}", `./${main.entry}`).replace("{{main.css}}", `./${main.style}`);
const files = [...worker.files, ...listener.files, ...main.files, { path: "index.html", contents: Buffer.from(html) }];

const folder = outdir();
await write(folder, files);
const total = weigh(files);
console.log(`${total.toFixed(1).padStart(8)} kB  in all, compressed, of at most ${LIMIT_KB} kB; in ${folder}`);
if (total > LIMIT_KB) {
  console.error(`The page is too heavy: ${total.toFixed(1)} kB compressed, at most ${LIMIT_KB} kB are allowed.`);
  exit(1);
}
