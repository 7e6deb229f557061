// Commands with their time, told so that a newcomer can follow.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import path from "node:path";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
export const WINDOWS = process.platform === "win32";

/** Something a person has to do first; its text says what. Printed without a stack. */
export class Stop extends Error {}

/** The executable `name` in the checkout's own Python environment. */
export function inVenv(name) {
  return WINDOWS ? path.join(ROOT, ".venv", "Scripts", `${name}.exe`) : path.join(ROOT, ".venv", "bin", name);
}

/** A tool of node_modules as a command line; npm links them as shell files on Windows, so node runs the script itself. */
export function nodeTool(script) {
  return [process.execPath, path.join(ROOT, "node_modules", ...script.split("/"))];
}

/** Run npm itself: on Windows it is a .cmd file, which only a shell can start. */
export function npm(...args) {
  const script = process.env.npm_execpath;
  return script ? [process.execPath, script, ...args] : ["npm", ...args];
}

/** Seconds as a person reads them: `0.3 s`, `1 min 4 s`. */
export function seconds(ms) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/**
 * Run one command in the checkout and wait for it.
 * @returns {{code: number, ms: number, output: string}} `code` 127 when it could not be started; `output` is empty unless `quiet`.
 */
export function run([command, ...args], { quiet = false, cwd = ROOT, env = {} } = {}) {
  const began = Date.now();
  const needsShell = WINDOWS && command === "npm";
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
      shell: needsShell,
    });
    let output = "";
    child.stdout?.on("data", (data) => (output += data));
    child.stderr?.on("data", (data) => (output += data));
    child.on("error", (error) => resolve({ code: 127, ms: Date.now() - began, output: output + error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, ms: Date.now() - began, output }));
  });
}

/** Say what is done, do it quietly, say how long it took; raises Stop with the command's own words when it fails. */
export async function quietly(what, command, options = {}) {
  process.stderr.write(`  ${what} … `);
  const done = await run(command, { ...options, quiet: true });
  process.stderr.write(`${done.code === 0 ? "done" : "failed"} (${seconds(done.ms)})\n`);
  if (done.code !== 0) throw new Stop(`${command.join(" ")}\n${done.output.trim()}`);
  return done;
}

/** Run `main` and turn its end into the exit code of the process. */
export async function exitWith(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
