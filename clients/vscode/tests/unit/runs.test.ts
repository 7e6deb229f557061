import assert from "node:assert/strict";
import test from "node:test";
import type { RunChanged, StepState, StepStatus } from "../../src/lspExt";
import { type Notice, Runs } from "../../src/runs";

const STEP: StepState = {
  id: "1",
  title: "Rename total to sum_up",
  summary: "Rename total to sum_up · 4 sites in 3 files, 2 likely left · +4 −4 · ty ✓ ruff ✓",
  status: "ready",
  files: 3,
  added: 4,
  removed: 4,
  sites: 4,
  wide: false,
  checks: "ty ✓ ruff ✓",
  reason: "",
};

function steps(...statuses: StepStatus[]): StepState[] {
  return statuses.map((status, at) => ({ ...STEP, id: String(at + 1), status }));
}

function change(over: Partial<RunChanged>): RunChanged {
  return {
    run: "r1",
    root: "/shop",
    task: "rename total to sum_up",
    status: "open",
    steps: [],
    attention: false,
    message: "",
    cost: "",
    asks: false,
    stronger: false,
    ...over,
  };
}

function noticeFor(over: Partial<RunChanged>): Notice | undefined {
  const runs = new Runs();
  runs.ask("r1");
  runs.update(change(over));
  return runs.news("r1");
}

test("the status says how far the current run is", () => {
  const cases: [RunChanged[], string, string][] = [
    [[], "idle", "Surefoot"],
    [[change({})], "working", "Surefoot: drafting"],
    [[change({ steps: steps("ready", "drafting") })], "working", "Surefoot: drafting, 1 step ready"],
    [[change({ steps: steps("ready", "ready") })], "ready", "Surefoot: 2 steps ready"],
    [[change({ steps: steps("applied", "ready") })], "ready", "Surefoot: 1 step ready"],
    [[change({ status: "attention", attention: true, message: "the buffer changed" })], "attention", "Surefoot: needs you"],
    [[change({ status: "escalated", asks: true, message: "after 3 attempts" })], "idle", "Surefoot"],
    [[change({ steps: steps("refused"), asks: true, message: "unverified after 2 rounds" })], "attention", "Surefoot: given up"],
    [[change({ steps: steps("ready", "refused"), asks: true, message: "after 3 attempts" })], "ready", "Surefoot: 1 step ready"],
    [[change({ status: "done", steps: steps("applied") })], "idle", "Surefoot"],
    [
      [change({ status: "done", steps: steps("applied") }), change({ run: "r2", steps: steps("ready") })],
      "ready",
      "Surefoot: 1 step ready",
    ],
    [[change({ steps: steps("ready") }), change({ run: "r2", status: "refused" })], "ready", "Surefoot: 1 step ready"],
  ];
  for (const [changes, mood, text] of cases) {
    const runs = new Runs();
    for (const one of changes) runs.update(one);
    assert.deepEqual([runs.summary().mood, runs.summary().text], [mood, text]);
  }
});

test("one ready step can be applied from its notice", () => {
  const notice = noticeFor({ steps: steps("ready") });
  assert.equal(notice?.text, "Ready: Rename total to sum_up · 4 sites in 3 files, 2 likely left · +4 −4 · ty ✓ ruff ✓");
  assert.deepEqual(notice.actions, ["Apply", "Show Run"]);
});

test("several ready steps offer the next and all", () => {
  assert.equal(noticeFor({ steps: steps("ready", "drafting") }), undefined);
  const notice = noticeFor({ steps: steps("ready", "ready") });
  assert.equal(notice?.text, `2 steps ready for “rename total to sum_up”. First: ${STEP.summary}`);
  assert.deepEqual(notice.actions, ["Next Step", "Apply All", "Show Run"]);
});

test("what is ready is offered when the rest could not be drafted", () => {
  const notice = noticeFor({ message: "ty finds something new", steps: steps("ready", "refused", "refused") });
  assert.equal(notice?.level, "warning");
  assert.equal(notice.text, "“rename total to sum_up”: 1 step ready, 2 could not be drafted: ty finds something new.");
  assert.deepEqual(notice.actions, ["Next Step", "Show Run"]);
});

test("a refusal says why and that nothing changed", () => {
  const notice = noticeFor({ status: "refused", message: "shop.py:3: `sum_up` is taken" });
  assert.equal(notice?.level, "warning");
  assert.equal(notice.text, "“rename total to sum_up” was refused: shop.py:3: ‘sum_up’ is taken. Nothing was changed.");
  const half = noticeFor({ status: "cancelled", message: "cancelled by a person", steps: steps("applied", "skipped") });
  assert.equal(half?.text, "“rename total to sum_up” was cancelled.");
});

test("each thing is told once, and only to who asked; about attention the server asks", () => {
  const runs = new Runs();
  runs.update(change({ steps: steps("ready") }));
  assert.equal(runs.news("r1"), undefined, "nobody asked here");
  runs.ask("r1");
  assert.ok(runs.news("r1"), "the answer came before the question's end");
  runs.update(change({ steps: steps("ready") }));
  assert.equal(runs.news("r1"), undefined, "told already");
  runs.ask("r2");
  runs.update(change({ run: "r2", attention: true, message: "look" }));
  assert.equal(runs.news("r2"), undefined, "the server's own question has the buttons");
  assert.equal(runs.news("r3"), undefined, "no such run");
});

test("a run with the stronger model is told of although it was chosen in the server's question", () => {
  const runs = new Runs();
  runs.update(change({ run: "r2", stronger: true, steps: steps("ready"), cost: "5,160 tokens, $0.01" }));
  assert.match(runs.news("r2")?.text ?? "", /^Ready: .* \(5,160 tokens, \$0\.01\)$/);
});

test("what it costs stands where the run is told of", () => {
  const runs = new Runs();
  runs.update(change({ cost: "1,290 tokens, $0.003" }));
  assert.equal(runs.summary().detail, "rename total to sum_up (1,290 tokens, $0.003 so far)");
  const notice = noticeFor({ steps: steps("ready", "ready"), cost: "5,160 tokens, $0.01" });
  assert.equal(notice?.text, `2 steps ready for “rename total to sum_up” (5,160 tokens, $0.01). First: ${STEP.summary}`);
  assert.equal(noticeFor({ status: "escalated", asks: true }), undefined, "the server's own question has the buttons");
});

test("what is told is what is true when it is told", () => {
  const runs = new Runs();
  runs.ask("r1");
  runs.update(change({ steps: steps("ready") }));
  runs.update(change({ steps: steps("applied"), status: "done" }));
  assert.equal(runs.news("r1"), undefined, "applied before it was said that it is ready");
});

test("a new server starts from nothing", () => {
  const runs = new Runs();
  runs.update(change({ steps: steps("ready") }));
  runs.clear();
  assert.equal(runs.current, undefined);
});
