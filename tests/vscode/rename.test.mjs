// Rename Everywhere on the example shop: a function that is called from three files, once through an alias.
import assert from "node:assert/strict";
import path from "node:path";
import test, { after, before } from "node:test";
import { CHECKOUT, SERVES } from "./servers.mjs";
import { ROOT } from "./setup.mjs";
import { openWindow, scenarios } from "./window.mjs";

const TOUCHED = ["shop/stock.py", "shop/orders.py", "shop/report.py", "tests/test_stock.py"];
const TYPESCRIPT = ["src/prices.ts", "src/cart.ts", "src/receipt.ts", "test/prices.test.ts"];

let window;
const scenario = scenarios(test, () => window);
const original = {};
before(async () => {
  window = await openWindow({ name: "shop", files: path.join(ROOT, "examples/shop"), settings: CHECKOUT });
  for (const file of [...TOUCHED, ...TYPESCRIPT]) original[file] = window.read(file);
});
after(async () => window?.close());

function renamed(file) {
  return original[file].replaceAll(/\bget_stock\b/g, "free_stock");
}

async function ask(vs, name) {
  await vs.command("Surefoot: Rename Everywhere");
  await vs.input.waitFor();
  await vs.input.fill(name);
}

scenario("the input box is filled in, and minds its language", async (vs) => {
  await vs.open("shop/stock.py");
  await vs.cursor("shop/stock.py", "get_stock");
  await vs.command("Surefoot: Rename Everywhere");
  await vs.input.waitFor();
  assert.equal(await vs.input.inputValue(), "get_stock");
  await vs.shot("input");
  await vs.input.fill("free-stock");
  await vs.page.locator(".quick-input-message", { hasText: "free-stock is not a Python name" }).waitFor();
  await vs.shot("input-refused");
  await vs.page.keyboard.press("Escape");
});

scenario("a name that is taken is refused with the reason, and nothing changes", async (vs) => {
  await ask(vs, "Shelf");
  await vs.page.keyboard.press("Enter");
  const toast = vs.toast("Nothing was changed");
  await toast.waitFor();
  await vs.shot("clash");
  assert.match(await toast.innerText(), /Shelf/);
  assert.equal(await vs.page.locator(".tab.dirty").count(), 0);
  for (const file of TOUCHED) assert.equal(vs.read(file), original[file]);
  await vs.clearToasts();
});

scenario("a rename in four files is drafted, checked and offered", async (vs) => {
  await ask(vs, "free_stock");
  await vs.page.keyboard.press("Enter");
  const toast = vs.toast("Ready:");
  await toast.waitFor();
  assert.equal(await vs.toast("Surefoot: rename").count(), 0, "the progress has gone when its end is told");
  await vs.shot("ready");
  assert.match(await toast.innerText(), /in 4 files/);
  assert.match(await toast.innerText(), /ty ✓/);
  assert.match(await vs.status.innerText(), /1 step ready/);
  await vs.press(toast, "Apply");
});

scenario("its preview lists every file, and a discarded preview changes nothing", async (vs) => {
  await vs.preview.locator(".monaco-list-row").first().waitFor();
  await vs.shot("preview");
  await vs.page.locator(".statusbar-item", { hasText: "Tick what to change" }).waitFor();
  await vs.discardPreview();
  await vs.toast("Not applied: it was declined").waitFor();
  await vs.clearToasts();
  for (const file of TOUCHED) assert.equal(vs.read(file), original[file]);
  assert.equal(await vs.page.locator(".tab.dirty").count(), 0);
});

scenario("the next step opens the preview again, and applies what is ticked", async (vs) => {
  await vs.command("Surefoot: Next Step");
  await vs.preview.locator(".monaco-list-row").first().waitFor();
  await vs.tickAll();
  await vs.shot("preview-ticked");
  await vs.applyPreview();
  await vs.line("def free_stock").waitFor();
  await vs.shot("applied");
  await vs.saveAll(TOUCHED.length);
  for (const file of TOUCHED) await vs.readsAs(file, renamed(file));
});

scenario("the run's report opens", async (vs) => {
  await vs.command("Surefoot: Show Run");
  await vs.page.locator(".tab.active", { hasText: "rename" }).waitFor();
  await vs.webview().getByText("free_stock").first().waitFor();
  await vs.shot("report");
  await vs.page.keyboard.press("Control+W");
});

scenario("the last step is reverted", async (vs) => {
  await vs.open("shop/stock.py");
  await vs.command("Surefoot: Revert Last Step");
  await vs.line("def get_stock").waitFor();
  await vs.shot("reverted");
  await vs.saveAll(TOUCHED.length);
  for (const file of TOUCHED) await vs.readsAs(file, original[file]);
});

scenario("a killed server is started again, and commands work", async (vs) => {
  const [{ pid }] = vs.processes(SERVES);
  process.kill(pid, "SIGKILL");
  await vs.until(() => vs.processes(SERVES).some((server) => server.pid !== pid), "a new server");
  await vs.cursor("shop/stock.py", "get_stock");
  await ask(vs, "stock_of");
  await vs.page.keyboard.press("Enter");
  await vs.toast("Ready:").waitFor();
  await vs.shot("restarted");
  await vs.command("Surefoot: Cancel Run");
  await vs.toast("was cancelled").waitFor();
  await vs.shot("cancelled");
  await vs.clearToasts();
});

scenario("the lightbulb leads to the same rename, and then lists its step", async (vs) => {
  await vs.open("src/prices.ts");
  await vs.cursor("src/prices.ts", "getPrice", "function getPrice");
  await vs.lightbulb("Rename getPrice everywhere");
  await vs.pick("Rename getPrice everywhere");
  await vs.input.waitFor();
  await vs.input.fill("priceFor");
  await vs.page.keyboard.press("Enter");
  await vs.toast("Ready:").waitFor();
  await vs.clearToasts();
  await vs.cursor("src/prices.ts", "getPrice", "function getPrice");
  const titles = await vs.lightbulb("Rename getPrice to priceFor");
  await vs.shot("step-in-lightbulb");
  assert.match(
    titles.find((title) => title.includes("priceFor")),
    /in 4 files.* · \+\d+ −\d+ · .*TypeScript ✓/i,
  );
  await vs.pick("Rename getPrice to priceFor");
  await vs.tickAll();
  await vs.applyPreview();
  await vs.line("function priceFor").waitFor();
  await vs.saveAll(TYPESCRIPT.length);
  for (const file of TYPESCRIPT) await vs.readsAs(file, original[file].replaceAll(/\bgetPrice\b(?! knows)/g, "priceFor"));
});

scenario("F2 renames through the same checks where the setting says so", async (vs) => {
  await vs.open("shop/stock.py");
  await vs.cursor("shop/stock.py", "get_stock");
  await vs.page.keyboard.press("F2");
  const box = vs.page.locator(".rename-box input");
  await box.fill("Shelf");
  await box.press("Enter");
  await vs.toast("‘Shelf’ is already bound there; choose another name.").waitFor();
  await vs.shot("f2-refused");
  await vs.clearToasts();
  await vs.page.keyboard.press("F2");
  await box.fill("free_stock");
  await box.press("Enter");
  await vs.line("def free_stock").waitFor();
  // VS Code itself saves what its own rename changed.
  for (const file of TOUCHED) await vs.readsAs(file, renamed(file));
});
