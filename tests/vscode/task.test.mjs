// Tasks in free words: a key is asked for, kept, and sent; a model plans, edits and judges; a person chooses when it does not get there.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { edit, plan, startMessages } from "./messages.mjs";
import { CHECKOUT, emptyEnvironment } from "./servers.mjs";
import { openWindow, scenarios } from "./window.mjs";

const KEY = "a-key-of-a-person";
const TASK = "let `mean` give 0.0 for an empty list";
const CALC =
  "def mean(xs: list[float]) -> float:\n    return sum(xs) / len(xs)\n\n\ndef spread(xs: list[float]) -> float:\n    return max(xs) - mean(xs)\n";
const FILES = { "calc.py": CALC, "wrong.py": "def size(name: str) -> int:\n    return name.lenght()\n" };
const SUM = "return sum(xs) / len(xs)";
const PLAN = plan("Let mean take nothing", "calc.py", { sites: [1, 2], touches: [{ path: "calc.py", name: "mean" }] });
const GOOD = edit("calc.py", "mean", SUM, `${SUM} if xs else 0.0`);
const FAIL = "FAIL\nThe function spread must take an empty list, too.";
const PASS = "PASS\nThe mean of nothing is zero.";

let api;
let window;
const scenario = scenarios(test, () => window);
before(async () => {
  api = await startMessages();
  // An address that is not this machine needs a key; the scripted server stands in the way to it as a proxy.
  const env = { ANTHROPIC_BASE_URL: "http://provider.invalid", HTTP_PROXY: api.url, ANTHROPIC_API_KEY: "" };
  window = await openWindow({ name: "task", files: FILES, settings: CHECKOUT, env, prepare: emptyEnvironment });
});
after(async () => {
  await window?.close();
  api?.close();
});

async function ask(vs, words) {
  await vs.command("Surefoot: Do a Task…");
  await vs.input.waitFor();
  await vs.input.fill(words);
}

/** The box whose text nobody can read. */
function hidden(vs) {
  return vs.page.locator(".quick-input-widget input[type=password]");
}

scenario("without a key it is told what needs none, and a key can be given on the spot", async (vs) => {
  api.script(PLAN, GOOD, PASS);
  await vs.open("calc.py");
  await ask(vs, TASK);
  await vs.shot("input");
  await vs.page.keyboard.press("Enter");
  const toast = vs.toast("ANTHROPIC_API_KEY");
  await toast.waitFor();
  await vs.shot("no-key");
  assert.match(await toast.innerText(), /rename OLD to NEW/);
  await vs.press(toast, "Set API Key…");
  await hidden(vs).waitFor();
  await vs.shot("key");
});

scenario("the task goes on with the key, is checked and judged, and its cost is told", async (vs) => {
  await hidden(vs).fill(KEY);
  await vs.page.keyboard.press("Enter");
  const toast = vs.toast("Ready:");
  await toast.waitFor();
  await vs.shot("ready");
  assert.match(await toast.innerText(), /5,160 tokens, \$0\.01/);
  assert.equal(api.received.length, 3);
  assert.ok(api.received.every(({ headers }) => headers.authorization === `Bearer ${KEY}`));
  await vs.press(toast, "Apply");
  await vs.line("if xs else 0.0").waitFor();
  await vs.shot("applied");
  await vs.saveAll();
  await vs.readsAs("calc.py", CALC.replace(SUM, `${SUM} if xs else 0.0`));
  await vs.clearToasts();
});

scenario("a finding that nothing else fixes can be given to Claude", async (vs) => {
  api.script(plan("Call len", "wrong.py"), edit("wrong.py", "size", "name.lenght()", "len(name)"), PASS);
  await vs.open("wrong.py");
  await vs.squiggle("error").first().waitFor();
  await vs.cursor("wrong.py", "lenght");
  const titles = await vs.lightbulb("Fix with Claude (validated)…");
  await vs.shot("lightbulb");
  assert.ok(titles.includes("Fix with Claude (validated)…"));
  await vs.pick("Fix with Claude (validated)…");
  const toast = vs.toast("Ready:");
  await toast.waitFor();
  await vs.press(toast, "Apply");
  await vs.line("len(name)").waitFor();
  await vs.squiggle("error").waitFor({ state: "detached" });
  await vs.saveAll();
  await vs.clearToasts();
});

scenario("when attempts are used up a person chooses, and the stronger model starts from the note", async (vs) => {
  const before = api.received.length;
  const now = `${SUM} if xs else 0.0`;
  for (const number of [1, 2, 3]) api.script(PLAN, edit("calc.py", "mean", now, `return helper_number_${number}(xs)`));
  api.script(PLAN, edit("calc.py", "mean", now, "return sum(xs) / max(len(xs), 1)"), PASS);
  await vs.open("calc.py");
  await ask(vs, "let `mean` divide by one at least");
  await vs.page.keyboard.press("Enter");
  const toast = vs.toast("was given up");
  await toast.waitFor();
  await vs.shot("given-up");
  await vs.press(toast, "Stronger Model");
  await vs.toast("Ready:").waitFor();
  await vs.shot("stronger");
  const later = api.received.slice(before);
  assert.deepEqual(
    later.slice(6, 8).map(({ body }) => body.model),
    ["claude-opus-5-5", "claude-opus-5-5"],
  );
  assert.ok(later.slice(6).every(({ body }) => !JSON.stringify(body).includes("helper_number_1(xs)")));
});

scenario("a person can overrule the judge, from the menu as from the question", async (vs) => {
  await vs.clearToasts();
  await vs.command("Surefoot: Cancel Run");
  const now = `${SUM} if xs else 0.0`;
  const tries = ["return sum(xs) / max(len(xs), 1)", "return sum(xs) / (len(xs) or 1)"];
  for (const made of tries) api.script(PLAN, edit("calc.py", "mean", now, made), FAIL);
  await ask(vs, "let `mean` never divide by zero");
  await vs.page.keyboard.press("Enter");
  const toast = vs.toast("was given up");
  await toast.waitFor();
  await vs.status.filter({ hasText: "given up" }).waitFor();
  assert.match(await toast.innerText(), /spread must take an empty list/);
  await vs.cursor("calc.py", "return sum");
  const titles = await vs.lightbulb("Offer anyway (overrule)");
  await vs.shot("objection");
  assert.match(titles.join("\n"), /The judge objects: The function spread must take an empty list, too\./);
  await vs.page.keyboard.press("Escape");
  await vs.press(toast, "Overrule");
  await vs.toast("the judge is overruled: Let mean take nothing").waitFor();
  await vs.status.filter({ hasText: "1 step ready" }).waitFor();
  await vs.command("Surefoot: Next Step");
  await vs.line("len(xs) or 1").waitFor();
  await vs.saveAll();
});

scenario("a key that is forgotten is asked for again", async (vs) => {
  await vs.clearToasts();
  await vs.command("Surefoot: Forget API Key");
  await ask(vs, "say hello");
  await vs.page.keyboard.press("Enter");
  await vs.toast("ANTHROPIC_API_KEY").waitFor();
});

scenario("what needs no key can be chosen from a list, and is done", async (vs) => {
  const sent = api.received.length;
  await vs.press(vs.toast("ANTHROPIC_API_KEY"), "What Needs No Key");
  const rows = vs.page.locator(".quick-input-widget .monaco-list-row");
  await rows.filter({ hasText: "add parameter NAME" }).first().waitFor();
  await vs.shot("forms");
  await rows.filter({ hasText: "rename OLD to NEW" }).first().click();
  await vs.page.locator(".quick-input-title", { hasText: "What is to be done?" }).waitFor();
  assert.equal(await vs.input.inputValue(), "rename OLD to NEW");
  await vs.input.fill("rename spread to reach");
  await vs.page.keyboard.press("Enter");
  await vs.toast("Ready: Rename spread to reach").waitFor();
  assert.equal(api.received.length, sent, "no model was asked");
});
