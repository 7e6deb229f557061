// First start: what a person sees when there is no server, and how the extension makes one from what it brings.
import assert from "node:assert/strict";
import fs from "node:fs";
import test, { after, before } from "node:test";
import { CHECKOUT, SERVES } from "./servers.mjs";
import { openWindow, scenarios } from "./window.mjs";

const FILES = { "hello.py": "import os\n\nprint('hello')\n" };
const NOWHERE = "/nowhere/surefoot";
const MINUTES = 180_000;

let window;
const scenario = scenarios(test, () => window);
before(async () => {
  window = await openWindow({ name: "start", files: FILES, settings: { "surefoot.server.path": NOWHERE } });
});
after(async () => window?.close());

scenario("a server that is not there is told, with the ways out", async (vs) => {
  await vs.open("hello.py");
  const toast = vs.toast("Surefoot cannot start");
  await toast.waitFor();
  await vs.shot("no-server");
  assert.match(await toast.innerText(), new RegExp(`names ${NOWHERE}, which is not a program`));
  assert.equal(vs.processes(SERVES).length, 0);
});

scenario("without a setting, the extension makes an environment from what it brings", async (vs) => {
  vs.changeSettings({});
  const progress = vs.toast("Surefoot, first start");
  await progress.waitFor();
  await vs.shot("first-start");
  await progress.waitFor({ state: "detached", timeout: MINUTES });
  await vs.squiggle("warning").first().waitFor();
  await vs.shot("started");
  const [server] = vs.processes(SERVES);
  assert.match(server.command, /globalStorage\/surefoot\.surefoot\/env-.*python -I -m surefoot serve/);
  assert.deepEqual(fs.readdirSync(vs.folder), ["hello.py"], "the folder of the person is left alone");
});

scenario("a setting names another server, which takes over", async (vs) => {
  const [{ pid }] = vs.processes(SERVES);
  vs.changeSettings(CHECKOUT);
  await vs.until(() => vs.processes(SERVES).some((server) => server.pid !== pid), "another server");
  await vs.until(() => vs.processes(SERVES).every((server) => server.pid !== pid), "the end of the first server");
  await vs.squiggle("warning").first().waitFor();
});
