// Sets up what is missing, and only that: a Python environment, the Node packages, the TypeScript checker.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { findPython } from "./lib/python.mjs";
import { exitWith, inVenv, npm, quietly, ROOT, run, Stop } from "./lib/run.mjs";

/**
 * Make the checkout ready, quickly when it is. `dev` adds what the tests need.
 * Every stamp holds the hash of what was installed from, so a second run does nothing and a changed lock file is noticed.
 */
export async function setup({ dev }) {
  await python(dev);
  if (dev) await node();
  await checkers();
}

async function python(dev) {
  if (!(await works())) {
    const command = await findPython();
    rmSync(path.join(ROOT, ".venv"), { recursive: true, force: true });
    await quietly(`Making a Python environment in .venv (${command.join(" ")})`, [...command, "-m", "venv", ".venv"]);
  }
  const stamp = path.join(ROOT, ".venv", "surefoot-setup.json");
  const had = existsSync(stamp) ? JSON.parse(readFileSync(stamp, "utf8")) : {};
  const lock = dev ? "dev" : "runtime";
  const want = digest([`lock/${lock}.txt`, "pyproject.toml"]);
  // What the tests need includes what the server needs.
  const current = had[lock] === want || (lock === "runtime" && had.dev === digest(["lock/dev.txt", "pyproject.toml"]));
  if (current && existsSync(inVenv("surefoot"))) return;
  const pip = [inVenv("python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"];
  const what = dev ? "the Python packages that the server and the tests need" : "the Python packages that the server needs";
  await quietly(`Installing ${what}, by hash (up to a minute)`, [...pip, "--require-hashes", "-r", `lock/${lock}.txt`]);
  await quietly("Installing Surefoot itself from this folder", [...pip, "--no-deps", "--editable", "."]);
  writeFileSync(stamp, JSON.stringify({ ...(dev ? {} : had), [lock]: want }));
}

/** Whether .venv holds a Python that starts: a checkout that moved, or a Python that was removed, leaves a broken one. */
async function works() {
  if (!existsSync(inVenv("python"))) return false;
  const probe = "import sys; sys.exit(sys.version_info < (3, 11))";
  return (await run([inVenv("python"), "-c", probe], { quiet: true })).code === 0;
}

async function node() {
  const stamp = path.join(ROOT, "node_modules", ".surefoot-setup");
  const want = digest(["package-lock.json"]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === want) return;
  await quietly("Installing the Node packages that the tests and the VS Code extension need", npm("ci", "--no-progress"));
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, want);
}

/** TypeScript is checked by its own native server, which is no Python package; `doctor` puts it into the user's cache once. */
async function checkers() {
  const stamp = path.join(ROOT, ".venv", "surefoot-checkers");
  const want = digest(["server/surefoot/checks/install.py", "server/surefoot/checks/typescript.py"]);
  if (existsSync(stamp)) {
    const [had, cache] = readFileSync(stamp, "utf8").split("\n");
    if (had === want && existsSync(cache)) return;
  }
  await quietly("Fetching the TypeScript checker into your cache, once", [inVenv("surefoot"), "doctor", "--install"]);
  const where = "from surefoot.checks.settings import CheckSettings; print(CheckSettings().typescript_folder)";
  const { code, output } = await run([inVenv("python"), "-c", where], { quiet: true });
  if (code !== 0) throw new Stop(output);
  writeFileSync(stamp, `${want}\n${output.trim()}`);
}

function digest(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(path.join(ROOT, file)));
  return hash.digest("hex");
}

if (process.argv[1] === import.meta.filename) {
  await exitWith(async () => {
    await setup({ dev: !process.argv.includes("--runtime") });
    return 0;
  });
}
