// Which server a window runs.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { ROOT } from "./setup.mjs";

/** The server of this checkout: what the setup script installed. */
export const CHECKOUT = { "surefoot.server.path": path.join(ROOT, ".venv/bin/surefoot") };

/** What every server's command line holds. */
export const SERVES = "surefoot serve";

/** Gives a folder an environment of its own with nothing in it, so that what is installed on this machine plays no part. */
export function emptyEnvironment(folder) {
  const python = path.join(ROOT, ".venv/bin/python");
  execFileSync(python, ["-m", "venv", "--without-pip", path.join(folder, ".venv")]);
}
