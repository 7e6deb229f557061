import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { distrust, findEnvironment, makeEnvironment, NoEnvironment, type Request, readBundle } from "../../src/environment";

async function withRequest(body: (request: Request, abort: AbortController) => Promise<void>): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "surefoot-unit-"));
  try {
    fs.mkdirSync(path.join(home, "bundled/server/surefoot"), { recursive: true });
    fs.writeFileSync(path.join(home, "bundled/server/surefoot/__init__.py"), "");
    fs.writeFileSync(path.join(home, "bundled/requirements.txt"), "");
    fs.writeFileSync(path.join(home, "bundled/manifest.json"), '{"version": "0", "digest": "0123456789abcdef"}');
    const bundle = await readBundle(path.join(home, "bundled"));
    const abort = new AbortController();
    const nothing = (): void => undefined;
    await body({ bundle, storage: path.join(home, "storage"), chosen: "", report: nothing, log: nothing, signal: abort.signal }, abort);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

test("an environment is made once, found again, and replaces that of another version", async () => {
  await withRequest(async (request) => {
    fs.mkdirSync(path.join(request.storage, "env-ffffffffffff-1"), { recursive: true });
    assert.equal(await findEnvironment(request), undefined);
    const told: string[] = [];
    const python = await makeEnvironment({ ...request, report: (message) => told.push(message) });
    assert.deepEqual(told, ["making a Python environment", "installing its packages", "installing the server"]);
    assert.equal(await findEnvironment(request), python);
    assert.equal(fs.readdirSync(request.storage).length, 1);
    const other = { ...request, bundle: { ...request.bundle, digest: "fedcba9876543210" } };
    assert.equal(await findEnvironment(other), undefined, "other content wants an environment of its own");
  });
});

test("a half-made environment is not taken for one, and leaves nothing behind", async () => {
  await withRequest(async (request, abort) => {
    const making = makeEnvironment({
      ...request,
      report: () => {
        abort.abort();
      },
    });
    await assert.rejects(making, { name: "AbortError" });
    assert.deepEqual(fs.readdirSync(request.storage), []);
  });
});

test("an environment that does not import the server is removed, and made anew", async () => {
  await withRequest(async (request) => {
    const first = await makeEnvironment(request);
    const installed = fs.readdirSync(request.storage, { recursive: true, encoding: "utf8" });
    const module = installed.find((name) => name.endsWith("site-packages/surefoot")) ?? "none";
    fs.rmSync(path.join(request.storage, module), { recursive: true });
    const logged: string[] = [];
    assert.equal(await findEnvironment({ ...request, log: (line) => logged.push(line) }), undefined);
    assert.ok(logged.some((line) => line.includes("No module named 'surefoot'")));
    assert.deepEqual(fs.readdirSync(request.storage), []);
    const second = await makeEnvironment(request);
    assert.notEqual(second, first);
    assert.equal(await findEnvironment(request), second);
    await distrust(second);
    assert.equal(await findEnvironment(request), undefined, "the server did not start from it");
    assert.deepEqual(fs.readdirSync(request.storage), []);
  });
});

test("another chosen Python gets an environment of its own, and the first one keeps its", async () => {
  await withRequest(async (request) => {
    const usual = await makeEnvironment(request);
    const python = path.join(request.bundle.folder, "python");
    fs.writeFileSync(python, `#!/bin/sh\necho asked >> ${python}.log\nexec ${usual} "$@"\n`, { mode: 0o755 });
    const chosen = { ...request, chosen: python };
    assert.equal(await findEnvironment(chosen), undefined, "made from another Python");
    const made = await makeEnvironment(chosen);
    assert.ok(fs.existsSync(`${python}.log`), "made from the one that was chosen");
    assert.equal(await findEnvironment(chosen), made);
    assert.equal(await findEnvironment(request), usual);
    fs.rmSync(made);
    assert.equal(await findEnvironment(chosen), undefined, "its Python is gone");
    assert.deepEqual(fs.readdirSync(request.storage), [path.relative(request.storage, usual).split(path.sep)[0]]);
  });
});

test("what earlier tries left half made is removed, but not what another window is at", async () => {
  await withRequest(async (request) => {
    const over = spawnSync(process.execPath, ["-e", ""]).pid;
    const names = [over, process.pid, process.ppid].map((pid) => `env-0123456789ab-aaaaaa-${pid}-cccccc`);
    for (const name of [...names, "env-ffffffffffff-old", "kept"]) fs.mkdirSync(path.join(request.storage, name), { recursive: true });
    assert.equal(await findEnvironment(request), undefined);
    assert.deepEqual(fs.readdirSync(request.storage).sort(), [names[2], "kept"].sort());
  });
});

test("a chosen Python that is not there is named", async () => {
  await withRequest(async (request) => {
    await assert.rejects(makeEnvironment({ ...request, chosen: "/nowhere/python3" }), (error: unknown) => {
      assert.ok(error instanceof NoEnvironment);
      assert.equal(error.message, "Surefoot needs Python 3.11 or newer. /nowhere/python3 cannot be started.");
      return true;
    });
  });
});

test("a chosen Python that is too old, or cannot make environments, is told as such", async () => {
  await withRequest(async (request) => {
    const python = path.join(request.storage, "python");
    fs.mkdirSync(request.storage);
    for (const [prints, says] of [
      ["echo '[3, 9]'", `${python} is Python 3.9.`],
      ["echo \"ModuleNotFoundError: No module named 'ensurepip'\"; exit 1", `${python} cannot make environments: install its venv package`],
      ["exit 1", `${python} does not work.`],
    ] as const) {
      fs.writeFileSync(python, `#!/bin/sh\n${prints}\n`, { mode: 0o755 });
      await assert.rejects(makeEnvironment({ ...request, chosen: python }), (error: unknown) => String(error).includes(says));
    }
  });
});

test("a failed installation quotes the end of what pip said", async () => {
  await withRequest(async (request) => {
    fs.writeFileSync(path.join(request.bundle.folder, "requirements.txt"), "this is no requirement\n");
    await assert.rejects(makeEnvironment(request), /Setting up the server failed \(-m pip install ended with 1\)\.[^]*Invalid requirement/);
    assert.deepEqual(fs.readdirSync(request.storage), []);
  });
});
