import assert from "node:assert/strict";
import fs from "node:fs";
import test, { after, before } from "node:test";
import { openWindow, scenario } from "./window.mjs";

let window;
before(async () => {
  window = await openWindow({
    name: "start",
    files: { "a.py": "import os\n\nprint(1)\n" },
    settings: { "surefoot.server.path": "/nowhere/surefoot" },
  });
});
after(async () => window?.close());

scenario(
  test,
  () => window,
  "a server that cannot be started is told with the ways out",
  async (vs) => {
    await vs.open("a.py");
    const toast = vs.toast("Surefoot cannot start");
    await toast.waitFor();
    await vs.shot("cannot-start");
    assert.ok(fs.existsSync(vs.folder));
    assert.match(await vs.status.innerText(), /Surefoot/);
  },
);
