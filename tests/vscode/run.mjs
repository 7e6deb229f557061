// Runs the end-to-end tests in a real VS Code: `node tests/vscode/run.mjs [name of a test file…]`.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { findChromium, HERE, prepareEditor, ROOT } from "./setup.mjs";

const SECONDS = 900;

function say(text) {
  console.log(`vscode: ${text}`);
}

function packaged() {
  say("packaging the extension");
  execFileSync("npm", ["run", "--silent", "package", "--workspace", "clients/vscode"], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return path.join(ROOT, "clients/vscode/dist/surefoot.vsix");
}

function testFiles(names) {
  const all = fs.readdirSync(HERE).filter((name) => name.endsWith(".test.mjs"));
  return all.filter((name) => names.length === 0 || names.some((wanted) => name.includes(wanted))).map((name) => path.join(HERE, name));
}

async function main(names) {
  findChromium();
  const editor = { ...prepareEditor(say), vsix: packaged() };
  fs.rmSync(path.join(ROOT, "artifacts/vscode"), { recursive: true, force: true });
  // node --test does not end on SIGTERM, so a run that hangs is killed from outside.
  const args = [
    "-k",
    "5",
    String(SECONDS),
    process.execPath,
    "--test",
    "--test-reporter=spec",
    "--test-concurrency=1",
    ...testFiles(names),
  ];
  const tests = spawn("timeout", args, {
    cwd: ROOT,
    env: { ...process.env, SUREFOOT_E2E_EDITOR: JSON.stringify(editor) },
    stdio: "inherit",
  });
  const code = await new Promise((done) => tests.once("exit", done));
  if (code === 124 || code === 137) say(`stopped after ${SECONDS} s`);
  return code ?? 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`vscode: ${error.message}`);
  process.exitCode = 1;
}
