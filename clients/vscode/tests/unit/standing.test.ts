import assert from "node:assert/strict";
import test from "node:test";
import { Standing } from "../../src/standing";

const LONG = 60_000;
const LEAST = 50;

test("where no progress stands, nothing waits", async () => {
  const standing = new Standing(LONG, LONG);
  standing.put("Surefoot: another task");
  await standing.gone("Surefoot: rename");
});

test("a notice waits for the progress of its run to end, and to have stood as long as it must", async () => {
  const standing = new Standing(LEAST, LONG);
  const since = performance.now();
  const end = standing.put("Surefoot: rename");
  const order: string[] = [];
  const told = standing.gone("Surefoot: rename").then(() => order.push("notice"));
  await new Promise((next) => setImmediate(next));
  order.push("end");
  end();
  await told;
  assert.deepEqual(order, ["end", "notice"]);
  // Timers count in whole milliseconds.
  assert.ok(performance.now() - since >= LEAST - 2);
});

test("progress that has gone is waited for no more", async () => {
  const standing = new Standing(0, LONG);
  standing.put("Surefoot: rename")();
  await standing.gone("Surefoot: rename");
  await standing.gone("Surefoot: rename");
});

test("progress that does not end keeps a notice back for a while only", async () => {
  const standing = new Standing(0, 1);
  standing.put("Surefoot: rename");
  await standing.gone("Surefoot: rename");
});
