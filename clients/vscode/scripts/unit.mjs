// Runs the unit tests: bundled first, because Node cannot read TypeScript on all versions that we support.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const CLIENT = path.resolve(import.meta.dirname, "..");
const OUT = path.join(CLIENT, "dist/unit");

rmSync(OUT, { recursive: true, force: true });
const tests = readdirSync(path.join(CLIENT, "tests/unit")).filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: tests.map((name) => path.join(CLIENT, "tests/unit", name)),
  outdir: OUT,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  external: ["vscode"],
  format: "cjs",
  platform: "node",
  target: "node20",
  sourcemap: "inline",
});
const files = tests.map((name) => path.join(OUT, name.replace(/\.ts$/, ".cjs")));
const ended = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { cwd: CLIENT, stdio: "inherit" });
process.exit(ended.status ?? 1);
