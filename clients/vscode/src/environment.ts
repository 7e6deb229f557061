/** The server's own Python environment: made once from what the extension brings, found again afterwards. Knows no editor. */
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { run } from "./processes";

/** What the extension brings: server/surefoot, requirements.txt, and manifest.json, which names their content. */
export interface Bundle {
  folder: string;
  digest: string;
}

export interface Place {
  bundle: Bundle;
  /** Where environments live. */
  storage: string;
  /** The Python a person chose to make them from, or "" to look for one. */
  chosen: string;
  /** Told every line that pip and Python print. */
  log: (line: string) => void;
}

export interface Request extends Place {
  /** Told what is going on, for a person. */
  report: (message: string) => void;
  signal: AbortSignal;
}

/** The environment cannot be made; the text says what to do. */
export class NoEnvironment extends Error {}

const OLDEST = [3, 11] as const;
const READY = "ready";
const PROBE = "import json, sys, venv, ensurepip; print(json.dumps([sys.version_info.major, sys.version_info.minor]))";
const IMPORTS = ["-I", "-c", "import surefoot"];
const KEPT_LINES = 12;
/** How long a Python may take to answer what has an answer at once; a cold disk and a virus scanner are slow. */
const ANSWER_MS = 30_000;
/** Content, Python asked for, process that makes it, and something random, as in env-0123456789ab-01ba47-4711-c0ffee. */
const NAME = /^env-[0-9a-f]{12}-[0-9a-f]{6}-(\d+)-[0-9a-f]{6}$/;

export async function readBundle(folder: string): Promise<Bundle> {
  const manifest: unknown = JSON.parse(await fs.readFile(path.join(folder, "manifest.json"), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "digest" in manifest && typeof manifest.digest === "string") {
    return { folder, digest: manifest.digest };
  }
  throw new NoEnvironment(`${folder} holds no server: install the extension again.`);
}

/**
 * The Python of an environment that holds this bundle's server, was made from the Python that is chosen, and runs.
 *
 * What an earlier try left half made, and an environment that does not run any more, is removed.
 */
export async function findEnvironment(place: Place): Promise<string | undefined> {
  for (const name of await environments(place)) {
    const folder = path.join(place.storage, name);
    if (!(await exists(path.join(folder, READY)))) {
      if (!ofAnotherWindow(name)) await remove(name, "it is half made", place);
    } else if (name.startsWith(prefix(place))) {
      if (await works(pythonOf(folder), place)) return pythonOf(folder);
      await remove(name, "it does not run any more", place);
    }
  }
  return undefined;
}

/** The server did not start from the environment of this Python: that one is not found again, so another is made. */
export async function distrust(python: string): Promise<void> {
  await fs.rm(path.join(python, "../..", READY), { force: true });
}

/** Makes an environment with this bundle's server, and answers its Python. Raises NoEnvironment, or what the signal aborts with. */
export async function makeEnvironment(request: Request): Promise<string> {
  const base = await findPython(request);
  const folder = path.join(request.storage, `${prefix(request)}${process.pid}-${randomBytes(3).toString("hex")}`);
  try {
    await fs.mkdir(request.storage, { recursive: true });
    await fill(folder, base, request);
  } catch (error) {
    await fs.rm(folder, { recursive: true, force: true });
    throw error;
  }
  await removeOthers(request);
  return pythonOf(folder);
}

/** The newest suitable Python of this machine, as a command. Raises NoEnvironment. */
async function findPython(request: Request): Promise<readonly string[]> {
  const candidates = request.chosen === "" ? usualPythons() : [[request.chosen]];
  const problems: string[] = [];
  for (const command of candidates) {
    const problem = await problemWith(command, request);
    if (problem === undefined) return command;
    if (problem !== "") problems.push(problem);
  }
  const tried = problems.length > 0 ? problems.join(" ") : "None was found on PATH.";
  throw new NoEnvironment(`Surefoot needs Python ${OLDEST.join(".")} or newer. ${tried}`);
}

function usualPythons(): string[][] {
  if (process.platform === "win32") return [["py", "-3"], ["python"], ["python3"]];
  return [["python3.14"], ["python3.13"], ["python3.12"], ["python3.11"], ["python3"], ["python"]];
}

/** Undefined when this Python will do, "" when it is not there, else a sentence. */
async function problemWith(command: readonly string[], request: Request): Promise<string | undefined> {
  const name = command.join(" ");
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(ANSWER_MS)]);
  const ended = await run([...command, "-c", PROBE], { ...request, signal }).catch(() => undefined);
  request.signal.throwIfAborted();
  if (ended === undefined) return request.chosen === "" ? "" : `${name} cannot be started.`;
  const version = /^\[(\d+), (\d+)\]$/m.exec(ended.output);
  if (ended.code !== 0 || version === null) {
    const missing = /No module named '(venv|ensurepip)'/.test(ended.output);
    return missing
      ? `${name} cannot make environments: install its venv package (python3-venv on Debian and Ubuntu).`
      : `${name} does not work.`;
  }
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major === OLDEST[0] && minor >= OLDEST[1] ? undefined : `${name} is Python ${major}.${minor}.`;
}

async function fill(folder: string, base: readonly string[], request: Request): Promise<void> {
  request.report("making a Python environment");
  await must([...base, "-m", "venv", folder], request);
  const requirements = path.join(request.bundle.folder, "requirements.txt");
  const quiet = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"];
  request.report("installing its packages");
  const pip = [pythonOf(folder), "-m", "pip", "install", ...quiet, "--require-hashes", "--only-binary", ":all:", "-r", requirements];
  await must(pip, { ...request, log: reporting(request) });
  request.report("installing the server");
  const site = await must([pythonOf(folder), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], request);
  await fs.cp(path.join(request.bundle.folder, "server", "surefoot"), path.join(site.trim(), "surefoot"), { recursive: true });
  await must([pythonOf(folder), ...IMPORTS], request);
  await fs.writeFile(path.join(folder, READY), "");
}

/** Logs pip's lines, and reports the packages it names. */
function reporting(request: Request): (line: string) => void {
  return (line) => {
    request.log(line);
    const name = /^Collecting ([A-Za-z0-9._-]+)/.exec(line)?.[1];
    if (name !== undefined) request.report(`getting ${name}`);
    if (line.startsWith("Installing collected packages")) request.report("unpacking its packages");
  };
}

async function works(python: string, place: Place): Promise<boolean> {
  const ended = await run([python, ...IMPORTS], { log: place.log, signal: AbortSignal.timeout(ANSWER_MS) }).catch((error: unknown) => {
    place.log(`${python}: ${String(error)}`);
    return undefined;
  });
  return ended?.code === 0;
}

/** Environments of other versions are of no more use. Those of other Pythons stay, as another window may run from one. */
async function removeOthers(place: Place): Promise<void> {
  for (const name of await environments(place)) {
    if (!name.startsWith(contentPrefix(place)) && !ofAnotherWindow(name)) await remove(name, "another version made it", place);
  }
}

/** Its mark goes first, so that what cannot be removed (a file that is open on Windows stays until next time) is not taken for whole. */
async function remove(name: string, why: string, place: Place): Promise<void> {
  const folder = path.join(place.storage, name);
  place.log(`Removing ${name}: ${why}.`);
  try {
    await fs.rm(path.join(folder, READY), { force: true });
    await fs.rm(folder, { recursive: true, force: true });
  } catch (error) {
    place.log(`could not remove ${name}: ${String(error)}`);
  }
}

/** Whether another window that is still open made it, or is at it. One window makes one at a time, so its own are left over. */
function ofAnotherWindow(name: string): boolean {
  const maker = Number(NAME.exec(name)?.[1] ?? process.pid);
  return maker !== process.pid && alive(maker);
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function contentPrefix(place: Place): string {
  return `env-${place.bundle.digest.slice(0, 12)}-`;
}

function prefix(place: Place): string {
  return `${contentPrefix(place)}${createHash("sha256").update(place.chosen).digest("hex").slice(0, 6)}-`;
}

function pythonOf(folder: string): string {
  return process.platform === "win32" ? path.join(folder, "Scripts", "python.exe") : path.join(folder, "bin", "python");
}

async function environments(place: Place): Promise<string[]> {
  const names = await fs.readdir(place.storage).catch(() => []);
  return names.filter((name) => name.startsWith("env-"));
}

async function exists(file: string): Promise<boolean> {
  return await fs.access(file).then(
    () => true,
    () => false,
  );
}

async function must(command: readonly string[], request: Request): Promise<string> {
  request.log(`> ${command.join(" ")}`);
  const ended = await run(command, request);
  if (ended.code === 0) return ended.output;
  const last = ended.output.trim().split("\n").slice(-KEPT_LINES).join("\n");
  throw new NoEnvironment(`Setting up the server failed (${command.slice(1, 4).join(" ")} ended with ${String(ended.code)}).\n${last}`);
}
