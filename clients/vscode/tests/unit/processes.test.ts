import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import test from "node:test";
import { run, stopForGood, TooLate, within } from "../../src/processes";

/** Reads, never answers, and does not end when it is asked to. */
const DEAF = 'process.on("SIGTERM", () => {}); process.stdin.resume(); process.stdout.write("up");';

test("what comes in time is answered, and nothing is given up", async () => {
  const giveUp = (): string => assert.fail("given up");
  assert.equal(await within(60_000, Promise.resolve("here"), giveUp), "here");
  await assert.rejects(within(60_000, Promise.reject(new Error("broken")), giveUp), /^Error: broken$/);
});

test("a program that never answers is stopped, and that is told", async () => {
  const child = spawn(process.execPath, ["-e", DEAF], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  const answer = once(child.stdout, "data");
  const started = within(1, answer, () => {
    stopForGood(child);
    return "it did not answer";
  });
  await assert.rejects(started, (error: unknown) => error instanceof TooLate && error.message === "it did not answer");
  assert.deepEqual(await ended, [null, "SIGKILL"]);
});

test("the pipes of a stopped program are closed, though a program that it started holds them", async () => {
  const nested = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(DEAF)}], { stdio: "inherit" })`;
  const child = spawn(process.execPath, ["-e", nested], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const closed = Promise.all([once(child.stdin, "close"), once(child.stdout, "close"), once(child, "exit")]);
  stopForGood(child);
  await closed;
});

test("nothing is stopped where nothing was started", () => {
  stopForGood(undefined);
});

test("a command that takes too long is killed, and rejects", async () => {
  const lines: string[] = [];
  const abort = new AbortController();
  const log = (line: string): void => {
    lines.push(line);
    abort.abort();
  };
  const running = run([process.execPath, "-e", `${DEAF} process.stdout.write("\\n"); setInterval(() => {}, 1000)`], {
    log,
    signal: abort.signal,
  });
  await assert.rejects(running, { name: "AbortError" });
  assert.deepEqual(lines, ["up"]);
});

test("a command's output is told by the line, the last one too", async () => {
  const lines: string[] = [];
  const command = [process.execPath, "-e", 'process.stdout.write("one\\r\\ntwo\\nthree"); process.exitCode = 3'];
  const ended = await run(command, { log: (line) => lines.push(line), signal: new AbortController().signal });
  assert.deepEqual([ended.code, lines], [3, ["one", "two", "three"]]);
});
