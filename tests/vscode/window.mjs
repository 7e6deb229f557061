// A real VS Code window: code-server and Chromium, with the verbs of a person who sits before it.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { ROOT } from "./setup.mjs";

const EDITOR = JSON.parse(process.env.SUREFOOT_E2E_EDITOR ?? "null");
const SHOTS = path.join(ROOT, "artifacts/vscode");
const WAIT = 30_000;
const MENU_WAIT = 3000;
const OPEN_WAIT = 90_000;

// Nothing that asks the network, opens by itself or covers what is looked at.
const QUIET = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "extensions.gallery.serviceUrl": "",
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.settings.enableNaturalLanguageSearch": false,
  "workbench.tips.enabled": false,
  "workbench.colorTheme": "Default Light Modern",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "security.workspace.trust.enabled": false,
  "chat.disableAIFeatures": true,
  "git.enabled": false,
  "remote.autoForwardPorts": false,
  "npm.fetchOnlinePackageInfo": false,
  "json.schemaDownload.enable": false,
  "files.autoSave": "off",
  "files.exclude": { "**/.venv": true },
  "editor.minimap.enabled": false,
};

const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/**
 * Opens a folder with these files (texts by name, or a folder to copy) in a new window that has the extension.
 *
 * `settings` are the machine's, which is where a remote window reads those that name programs. `prepare` may do more to the folder. The window owns a temporary folder.
 */
export async function openWindow({ name, files, settings = {}, env = {}, prepare = () => undefined }) {
  if (EDITOR === null) throw new Error("Start these tests through `node tests/vscode/run.mjs`.");
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "surefoot-vscode-"));
  const folder = path.join(home, name);
  writeAll(folder, files);
  prepare(folder);
  writeAll(path.join(home, "user"), {
    "User/settings.json": JSON.stringify(QUIET),
    "Machine/settings.json": JSON.stringify(settings),
  });
  writeAll(home, { "config.yaml": "auth: none\n" });
  const editor = await startEditor(home, env);
  const { chromium } = createRequire(import.meta.url)(EDITOR.playwright);
  const browser = await chromium.launch({ executablePath: EDITOR.chromium, args: CHROMIUM_FLAGS });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT);
  const window = new Window({ name, home, folder, editor, browser, page });
  try {
    await page.goto(`http://127.0.0.1:${editor.port}/?folder=${folder}`);
    await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout: OPEN_WAIT });
  } catch (error) {
    await window.explain("open");
    await window.close();
    throw error;
  }
  return window;
}

export class Window {
  #shots = 0;

  constructor({ name, home, folder, editor, browser, page }) {
    Object.assign(this, { name, home, folder, editor, browser, page });
  }

  /** Keeps a picture of the window among the artefacts. */
  async shot(name) {
    this.#shots += 1;
    fs.mkdirSync(SHOTS, { recursive: true });
    const file = path.join(SHOTS, `${this.name}-${String(this.#shots).padStart(2, "0")}-${name}.png`);
    // Out of the way, so that no hover covers what is looked at.
    await this.page.mouse.move(1100, 18);
    await this.page.screenshot({ path: file });
    return file;
  }

  async open(file) {
    const name = path.basename(file);
    await this.#quickInput("Control+P", file, name);
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    await this.page.locator(".editor-group-container.active .view-line").first().waitFor();
  }

  /** Runs a command of the palette by its title. */
  async command(title) {
    await this.#quickInput("F1", `>${title}`, title);
  }

  /** Puts the cursor before the first `text` of the active editor's file, on the line that holds `line`. */
  async cursor(file, text, line = text) {
    const lines = this.read(file).split("\n");
    const at = lines.findIndex((content) => content.includes(line));
    await this.goto(at + 1, lines[at].indexOf(text) + 1);
  }

  async goto(line, column) {
    await this.#openInput("Control+G");
    await this.input.fill(`:${line}:${column}`);
    await this.input.press("Enter");
    await this.page.locator(".statusbar-item", { hasText: `Ln ${line}, Col ${column}` }).waitFor();
  }

  /** Opens the lightbulb's menu, again until it offers `title`, and answers all its titles. */
  async lightbulb(title) {
    const rows = this.page.locator(".action-widget .monaco-list-row.action");
    await this.until(async () => {
      await this.page.keyboard.press("Control+.");
      // A menu with nothing in it is a message that goes away by itself.
      const wanted = rows.filter({ hasText: title }).first();
      if (await appears(wanted)) return true;
      await this.page.keyboard.press("Escape");
      return false;
    }, `the lightbulb to offer ${title}`);
    return (await rows.allInnerTexts()).map((text) => text.replaceAll("\u00a0", " ").trim());
  }

  async pick(title) {
    await this.page.locator(".action-widget .monaco-list-row.action", { hasText: title }).first().click();
  }

  /** The input box of a command. */
  get input() {
    return this.page.locator(".quick-input-widget input[type=text]");
  }

  toast(text) {
    const places = ".notifications-toasts .notification-list-item, .notifications-center .notification-list-item";
    return this.page.locator(places, { hasText: text }).first();
  }

  async press(toast, button) {
    await toast.locator("a.monaco-button", { hasText: button }).first().click();
  }

  get status() {
    return this.page.locator('.statusbar-item[id="surefoot.surefoot.surefoot.status"], .statusbar-item[id$="surefoot.status"]');
  }

  squiggle(kind) {
    return this.page.locator(`.squiggly-${kind}`);
  }

  line(text) {
    return this.page.locator(".editor-group-container.active .view-line", { hasText: text });
  }

  /** The refactor preview. */
  get preview() {
    return this.page.locator(".bulk-edit-panel").first();
  }

  /** Ticks every file of the preview, and with it every edit. */
  async tickAll() {
    const boxes = this.preview.locator('.monaco-list-row [role="checkbox"]');
    await boxes.first().waitFor();
    await this.until(async () => {
      const open = this.preview.locator('.monaco-list-row [role="checkbox"][aria-checked="false"]');
      if ((await open.count()) === 0) return true;
      await open.first().click();
      return false;
    }, "everything in the preview is ticked");
  }

  async applyPreview() {
    await this.preview.locator("a.monaco-button", { hasText: "Apply" }).click();
    await this.preview.locator("a.monaco-button", { hasText: "Apply" }).waitFor({ state: "hidden" });
  }

  async discardPreview() {
    await this.preview.locator("a.monaco-button", { hasText: "Discard" }).click();
    await this.preview.locator("a.monaco-button", { hasText: "Discard" }).waitFor({ state: "hidden" });
  }

  /** Saves the `count` buffers that hold changes; VS Code gives a buffer that was changed unseen a tab, and saves only those with one. */
  async saveAll(count = 1) {
    const dirty = this.page.locator(".tab.dirty");
    await this.until(async () => (await dirty.count()) === count, `${count} changed buffers`);
    await this.command("File: Save All Files");
    await this.until(async () => (await dirty.count()) === 0, "all buffers to be saved");
  }

  read(file) {
    return fs.readFileSync(path.join(this.folder, file), "utf8");
  }

  async readsAs(file, text) {
    await this.until(() => this.read(file) === text, `${file} to be\n${text}`);
  }

  clearToasts() {
    return this.command("Notifications: Clear All Notifications");
  }

  /** The inner document of the webview in front. */
  webview() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  /** Replaces the settings that a remote window reads on its own machine; VS Code notices the file. */
  changeSettings(settings) {
    writeAll(path.join(this.home, "user"), { "Machine/settings.json": JSON.stringify(settings) });
  }

  /** Processes below the editor whose command line holds `text`. */
  processes(text) {
    return descendants(this.editor.child.pid).filter(({ command }) => command.includes(text));
  }

  /** Prints what helps to understand a failure, and keeps a picture. */
  async explain(what) {
    const file = await this.shot(`failed-${what.replace(/[^a-z0-9]+/gi, "-").slice(0, 60)}`).catch((error) => String(error));
    console.log(`# picture: ${file}`);
    for (const log of [path.join(this.home, "code-server.log"), ...logsOf(path.join(this.home, "user/logs"))]) {
      const text = fs.readFileSync(log, "utf8").trim();
      if (text !== "") console.log(`# --- ${path.relative(this.home, log)}\n${text.split("\n").slice(-60).join("\n")}`);
    }
  }

  async close() {
    await this.browser.close();
    await stopEditor(this.editor.child);
    fs.rmSync(this.home, { recursive: true, force: true });
  }

  /** A key is lost while the focus moves, out of a webview above all: it is pressed until the box is there. */
  async #openInput(key) {
    await this.until(async () => {
      await this.page.keyboard.press(key);
      return await appears(this.input);
    }, `${key} to open the input box`);
  }

  async #quickInput(key, typed, row) {
    await this.#openInput(key);
    await this.input.fill(typed);
    await this.page.locator(".quick-input-widget .monaco-list-row", { hasText: row }).first().click();
  }

  /** Until `done` answers true; looked at once a frame. */
  async until(done, what) {
    const end = Date.now() + WAIT;
    while (!(await done())) {
      if (Date.now() > end) throw new Error(`Waited ${WAIT / 1000} s in vain for ${what}`);
      await this.page.evaluate(() => new Promise((next) => globalThis.requestAnimationFrame(next)));
    }
  }
}

async function appears(locator) {
  return await locator.waitFor({ timeout: MENU_WAIT }).then(
    () => true,
    () => false,
  );
}

/** Tests that explain themselves when they fail. The scenarios of a window build on each other: none is tried after one that failed. */
export function scenarios(test, window) {
  return (name, body) =>
    test(name, async () => {
      const vs = window();
      if (vs === undefined) throw new Error("not tried: the window did not open");
      if (vs.failed) throw `not tried: “${vs.failed}” failed in this window`;
      try {
        await body(vs);
      } catch (error) {
        vs.failed = name;
        await vs.explain(name);
        throw error;
      }
    });
}

async function startEditor(home, env) {
  const port = await freePort();
  const places = ["--config", `${home}/config.yaml`, "--user-data-dir", `${home}/user`, "--extensions-dir", `${home}/extensions`];
  const environment = {
    ...process.env,
    ...env,
    PATH: `${path.dirname(EDITOR.node)}:${process.env.PATH}`,
    XDG_STATE_HOME: path.join(home, "state"),
    EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: `http://127.0.0.1:${port}/none` }),
  };
  // These belong to the test runner, or to an editor this runs in.
  for (const name of ["VSCODE_IPC_HOOK_CLI", "NODE_TEST_CONTEXT", "NODE_OPTIONS", "SUREFOOT_E2E_EDITOR"]) delete environment[name];
  execFileSync(EDITOR.node, [EDITOR.codeServer, ...places, "--install-extension", EDITOR.vsix], { env: environment, stdio: "pipe" });
  const log = fs.openSync(path.join(home, "code-server.log"), "w");
  const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override", "--disable-workspace-trust"];
  const args = [EDITOR.codeServer, ...places, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, ...quiet, "--disable-proxy"];
  // A process group of its own, so that the window and all it started can be ended together.
  const child = spawn(EDITOR.node, [...args, "--ignore-last-opened"], { env: environment, stdio: ["ignore", log, log], detached: true });
  await answering(`http://127.0.0.1:${port}/healthz`, child);
  return { child, port };
}

async function answering(url, child) {
  const end = Date.now() + WAIT;
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    if (child.exitCode !== null || Date.now() > end) throw new Error("code-server did not start");
    await new Promise((next) => setTimeout(next, 100));
  }
}

async function stopEditor(child) {
  const gone = new Promise((done) => child.once("exit", done));
  if (child.exitCode === null && child.signalCode === null) {
    process.kill(-child.pid, "SIGTERM");
    const late = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 5000);
    await gone;
    clearTimeout(late);
  }
}

function freePort() {
  return new Promise((done) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** `files` holds texts by name, or is a folder to copy. */
function writeAll(folder, files) {
  if (typeof files === "string") {
    const skipped = new Set(["__pycache__", ".ruff_cache", "node_modules"]);
    fs.cpSync(files, folder, { recursive: true, filter: (file) => !skipped.has(path.basename(file)) });
    return;
  }
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
}

function logsOf(folder) {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => /remoteexthost\.log$|surefoot\.surefoot\/.*\.log$/.test(name)).map((name) => path.join(folder, name));
}

/** Linux only, as these tests are: all processes below one, from /proc. */
function descendants(root) {
  const all = fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(describe);
  const below = (pid) => all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(root);
}

function describe(pid) {
  try {
    const parent = Number(/\) \S (\d+)/.exec(fs.readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
    return [{ pid: Number(pid), parent, command: fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") }];
  } catch {
    return []; // It ended while we looked.
  }
}
