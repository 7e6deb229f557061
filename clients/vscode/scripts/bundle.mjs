// Bundles the client into dist/, and copies the server beside it: its source, and the requirements it is locked to.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const CLIENT = path.resolve(import.meta.dirname, "..");
const ROOT = path.resolve(CLIENT, "../..");
const BUNDLED = path.join(CLIENT, "bundled");

await build({
  entryPoints: [path.join(CLIENT, "src/extension.ts")],
  outfile: path.join(CLIENT, "dist/extension.js"),
  bundle: true,
  external: ["vscode"],
  format: "cjs",
  platform: "node",
  target: "node20",
  minify: process.argv.includes("--minify"),
  sourcemap: process.argv.includes("--minify") ? false : "linked",
});

rmSync(BUNDLED, { recursive: true, force: true });
mkdirSync(BUNDLED, { recursive: true });
cpSync(path.join(ROOT, "lock/runtime.txt"), path.join(BUNDLED, "requirements.txt"));
cpSync(path.join(ROOT, "server/surefoot"), path.join(BUNDLED, "server/surefoot"), {
  recursive: true,
  filter: (file) => path.basename(file) !== "__pycache__",
});

// The manifest names the content, so that an environment made from other content is never taken for this one.
const hash = createHash("sha256");
for (const file of readdirSync(BUNDLED, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.join(entry.parentPath, entry.name))
  .sort()) {
  hash.update(path.relative(BUNDLED, file)).update("\0").update(readFileSync(file));
}
const { version } = JSON.parse(readFileSync(path.join(CLIENT, "package.json"), "utf8"));
writeFileSync(path.join(BUNDLED, "manifest.json"), `${JSON.stringify({ version, digest: hash.digest("hex") }, null, 2)}\n`);
