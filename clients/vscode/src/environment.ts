/** The server's own Python environment: made once from what the extension brings, found again afterwards. Knows no editor. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";

/** What the extension brings: server/surefoot, requirements.txt, and manifest.json, which names their content. */
export interface Bundle {
  folder: string;
  digest: string;
}

export interface Place {
  bundle: Bundle;
  /** Where environments live. */
  storage: string;
}

export interface Request extends Place {
  /** The Python a person chose, or "" to look for one. */
  chosen: string;
  /** Told what is going on, for a person. */
  report: (message: string) => void;
  /** Told every line that pip and Python print. */
  log: (line: string) => void;
  signal: AbortSignal;
}

/** The environment cannot be made; the text says what to do. */
export class NoEnvironment extends Error {}

const OLDEST = [3, 11] as const;
const READY = "ready";
const PROBE = "import json, sys, venv, ensurepip; print(json.dumps([sys.version_info.major, sys.version_info.minor]))";
const KEPT_LINES = 12;

export async function readBundle(folder: string): Promise<Bundle> {
  const manifest: unknown = JSON.parse(await fs.readFile(path.join(folder, "manifest.json"), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "digest" in manifest && typeof manifest.digest === "string") {
    return { folder, digest: manifest.digest };
  }
  throw new NoEnvironment(`${folder} holds no server: install the extension again.`);
}

/** The Python of an environment that already holds this bundle's server. */
export async function findEnvironment(place: Place): Promise<string | undefined> {
  for (const name of await listing(place.storage)) {
    const folder = path.join(place.storage, name);
    if (name.startsWith(prefix(place)) && (await exists(path.join(folder, READY))) && (await exists(pythonOf(folder))))
      return pythonOf(folder);
  }
  return undefined;
}

/** Makes an environment with this bundle's server, and answers its Python. Raises NoEnvironment, or what the signal aborts with. */
export async function makeEnvironment(request: Request): Promise<string> {
  const base = await findPython(request);
  const folder = path.join(request.storage, `${prefix(request)}${randomBytes(3).toString("hex")}`);
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
  const ended = await run([...command, "-c", PROBE], request).catch(() => undefined);
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
  await must([pythonOf(folder), "-I", "-c", "import surefoot"], request);
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

/** Environments of other versions are of no more use; a file that is still open on Windows stays until next time. */
async function removeOthers(request: Request): Promise<void> {
  for (const name of await listing(request.storage)) {
    if (!name.startsWith("env-") || name.startsWith(prefix(request))) continue;
    await fs.rm(path.join(request.storage, name), { recursive: true, force: true }).catch((error: unknown) => {
      request.log(`could not remove ${name}: ${String(error)}`);
    });
  }
}

function prefix(place: Place): string {
  return `env-${place.bundle.digest.slice(0, 12)}-`;
}

function pythonOf(folder: string): string {
  return process.platform === "win32" ? path.join(folder, "Scripts", "python.exe") : path.join(folder, "bin", "python");
}

async function listing(folder: string): Promise<string[]> {
  return await fs.readdir(folder).catch(() => []);
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

interface Ended {
  code: number | null;
  output: string;
}

/** Runs a command to its end; rejects when it cannot be started or is aborted. */
function run(command: readonly string[], request: Pick<Request, "log" | "signal">): Promise<Ended> {
  const [file = "", ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], signal: request.signal, windowsHide: true });
    let output = "";
    let line = "";
    const take = (data: Buffer): void => {
      const text = data.toString();
      output += text;
      const parts = (line + text).split(/\r?\n/);
      line = parts.pop() ?? "";
      parts.forEach(request.log);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("error", reject);
    child.once("close", (code) => {
      if (line !== "") request.log(line);
      resolve({ code, output });
    });
  });
}
