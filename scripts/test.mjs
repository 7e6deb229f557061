// Everything CI runs, in one command: every check runs even when one fails, and a table tells what held.
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import process from "node:process";
import { exitWith, inVenv, nodeTool, npm, ROOT, run, seconds } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

const python = inVenv("python");
const OURS = ["scripts", "clients/vscode", "tests/vscode", "eslint.config.mjs"];

/** Processes that tests run in: each of them starts servers and checkers of its own. */
const MOST = 8;

/** Quick checks of the sources first, then tests, the slowest last. */
const LINT = [
  ["ruff check", [inVenv("ruff"), "check"]],
  ["ruff format", [inVenv("ruff"), "format", "--check"]],
  ["pyright", nodeTool("pyright/index.js")],
  ["eslint", [...nodeTool("eslint/bin/eslint.js"), "--max-warnings", "0", ...OURS]],
  ["prettier", [...nodeTool("prettier/bin/prettier.cjs"), "--check", "--log-level", "warn", "package.json", "examples", ...OURS]],
  ["tsc", [...nodeTool("typescript/bin/tsc"), "--noEmit", "--project", "clients/vscode"]],
];
const TESTS = [
  ["pytest", [python, "-m", "pytest", "-q", ...side(Math.min(availableParallelism(), MOST))]],
  ["VS Code unit tests", npm("run", "--silent", "test", "--workspace", "clients/vscode")],
  [".vsix package", npm("run", "--silent", "package", "--workspace", "clients/vscode")],
  ["real VS Code", [process.execPath, path.join("tests", "vscode", "run.mjs")]],
];

await exitWith(async () => {
  console.error("Setting up what is missing:");
  await setup({ dev: true });
  const results = [];
  for (const [name, command] of process.argv.includes("--lint") ? LINT : [...LINT, ...TESTS]) {
    console.error(`\n── ${name}`);
    results.push({ name, ...(await run(command)) });
  }
  return tell(results);
});

/** Options of pytest that run tests side by side; the tests of one file stay together. */
function side(processes) {
  return processes > 1 ? ["-n", String(processes), "--dist", "loadgroup"] : [];
}

function tell(results) {
  const width = Math.max(...results.map(({ name }) => name.length));
  console.log();
  for (const { name, code, ms } of results) {
    console.log(`  ${code === 0 ? "passed" : "FAILED"}  ${name.padEnd(width)}  ${seconds(ms).padStart(10)}`);
  }
  const failed = results.filter(({ code }) => code !== 0);
  if (existsSync(path.join(ROOT, "artifacts"))) console.log("\nScreenshots and logs are in artifacts/.");
  console.log(`\n${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 ? 0 : 1;
}
