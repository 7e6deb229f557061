// First start: what a person sees when there is no server, and how the extension makes one from what it brings.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test, { after, before } from "node:test";
import { CHECKOUT, SERVES } from "./servers.mjs";
import { openWindow, scenarios } from "./window.mjs";

const FILES = { "hello.py": "import os\n\nprint('hello')\n" };
const NOWHERE = "/nowhere/surefoot";
const MINUTES = 180_000;

let window;
const scenario = scenarios(test, () => window);
before(async () => {
  window = await openWindow({ name: "start", files: FILES });
});
after(async () => window?.close());

scenario("on first start, the extension makes an environment from what it brings", async (vs) => {
  await vs.open("hello.py");
  const progress = vs.toast("Surefoot, setting up");
  await progress.waitFor();
  await vs.toast(/setting up: (getting|unpacking)/).waitFor({ timeout: MINUTES });
  await vs.shot("first-start");
  await progress.waitFor({ state: "detached", timeout: MINUTES });
  await vs.squiggle("warning").first().waitFor();
  await vs.shot("started");
  const [server] = vs.processes(SERVES);
  assert.match(server.command, /globalStorage\/surefoot\.surefoot\/env-.*python -I -m surefoot serve/);
  assert.deepEqual(fs.readdirSync(vs.folder), ["hello.py"], "the folder of the person is left alone");
});

scenario("a setting that names no server is told, with the ways out", async (vs) => {
  vs.changeSettings({ "surefoot.server.path": NOWHERE });
  const toast = vs.toast("Surefoot cannot start");
  await toast.waitFor();
  await vs.shot("no-server");
  assert.match(await toast.innerText(), new RegExp(`names ${NOWHERE}, which is not a program`));
  await vs.until(() => vs.processes(SERVES).length === 0, "the first server to end");
});

scenario("a setting that names another server starts that one", async (vs) => {
  vs.changeSettings(CHECKOUT);
  await vs.until(() => vs.processes(SERVES).length === 1, "the other server");
  assert.ok(vs.processes(SERVES)[0].command.includes(CHECKOUT["surefoot.server.path"]));
  await vs.squiggle("warning").first().waitFor();
});

scenario("a start after the first finds the environment that is there", async (vs) => {
  vs.changeSettings({});
  await vs.until(() => vs.processes(SERVES).some(({ command }) => command.includes("globalStorage")), "the bundled server");
  assert.equal(await vs.toast("setting up").count(), 0);
});

scenario("an environment that no longer runs is made anew", async (vs) => {
  const [broken] = vs.processes(SERVES).flatMap(({ command }) => /\S+\/env-[^/]+/.exec(command) ?? []);
  const module = fs.readdirSync(broken, { recursive: true }).find((name) => name.endsWith("site-packages/surefoot"));
  fs.rmSync(path.join(broken, module), { recursive: true });
  await vs.command("Surefoot: Restart Server");
  const progress = vs.toast("Surefoot, setting up");
  await progress.waitFor();
  await progress.waitFor({ state: "detached", timeout: MINUTES });
  const another = ({ command }) => command.includes("globalStorage") && !command.includes(broken);
  await vs.until(() => vs.processes(SERVES).some(another), "a server from another environment");
  await vs.until(() => !fs.existsSync(broken), "the broken environment to be removed");
});
