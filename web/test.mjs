// Runs the page's unit tests: bundles tests/**/*.test.ts(x) with esbuild and hands them to node's own runner.
//
//   node test.mjs [PART …]        only the files whose paths contain one of the parts

import { build } from "esbuild";
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { argv, execPath, exit } from "node:process";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const parts = argv.slice(2);

const names = (await readdir(join(HERE, "tests"), { recursive: true }))
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.test\.tsx?$/.test(name))
  .filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)))
  .sort();
if (names.length === 0) {
  console.error(`No test file in web/tests has ${parts.join(" or ") || ".test.ts"} in its name.`);
  exit(1);
}

// Inside the project, so that node finds its packages.
const folder = await mkdtemp(join(HERE, "node_modules", ".tests-"));
try {
  await build({
    absWorkingDir: HERE,
    entryPoints: names.map((name) => `tests/${name}`),
    outdir: folder,
    outbase: "tests",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: false,
    platform: "node",
    format: "esm",
    target: "node18",
    jsx: "automatic",
    jsxImportSource: "preact",
    packages: "external",
    loader: { ".css": "empty" },
    define: { VIEW_WORKER_URL: JSON.stringify("view-worker.js"), LISTENER_URL: JSON.stringify("listener.js") },
    sourcemap: "inline",
    logLevel: "warning",
  });
  const bundled = names.map((name) => join(folder, name.replace(/\.tsx?$/, ".mjs")));
  const code = await new Promise((done, failed) => {
    const runner = spawn(execPath, ["--enable-source-maps", "--test", "--test-reporter=spec", ...bundled], { stdio: "inherit", cwd: HERE });
    runner.on("error", failed);
    runner.on("exit", (status) => done(status ?? 1));
  });
  process.exitCode = code;
} finally {
  await rm(folder, { recursive: true, force: true });
}
