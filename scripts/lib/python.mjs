// Which Python makes the environment.
import { run, Stop, WINDOWS } from "./run.mjs";

const OLDEST = [3, 11];
const NAMES = ["python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"];
// ensurepip is what `venv` needs; Debian ships it apart from Python.
const PROBE = [
  "import sys",
  "try:\n import venv, ensurepip\n whole = 1",
  "except ImportError:\n whole = 0",
  "print(*sys.version_info[:2], whole, sys.executable)",
].join("\n");

/** The command line of a Python that can make an environment: `SUREFOOT_PYTHON` if set, else the newest that is found. */
export async function findPython() {
  const seen = [];
  for (const command of candidates()) {
    const { code, output } = await run([...command, "-c", PROBE], { quiet: true });
    if (code !== 0) continue;
    const [major, minor, whole, ...where] = output.trim().split(" ");
    const recent = Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1];
    if (recent && whole === "1") return command;
    seen.push(`  ${where.join(" ")}: Python ${major}.${minor}${recent ? " without the venv module" : ""}`);
  }
  throw new Stop(explain(seen));
}

function candidates() {
  const chosen = process.env.SUREFOOT_PYTHON;
  if (chosen) return [[chosen]];
  const named = NAMES.map((name) => [name]);
  return WINDOWS ? [["py", "-3"], ...named] : named;
}

function explain(seen) {
  const found = seen.length ? `Found only:\n${seen.join("\n")}` : "None was found on the PATH.";
  return [
    `Surefoot needs Python ${OLDEST.join(".")} or newer, with its venv module. ${found}`,
    "Debian, Ubuntu: sudo apt install python3 python3-venv · macOS: brew install python · Windows: winget install Python.Python.3.13",
    "If it is somewhere else, name it: SUREFOOT_PYTHON=/path/to/python3",
  ].join("\n");
}
