// Show All Sites: a tree of its own, and what VS Code's own TypeScript server thinks of it.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test, { after, before } from "node:test";
import { CHECKOUT } from "./servers.mjs";
import { ROOT } from "./setup.mjs";
import { openWindow, scenarios } from "./window.mjs";

// code-server brings no TypeScript of its own.
const SETTINGS = { ...CHECKOUT, "typescript.tsdk": path.join(ROOT, "node_modules/typescript/lib") };
// A file of no project, which TypeScript's server does not know, and a link in a comment, which it counts.
const LOOSE = 'import { getPrice } from "../src/prices.ts";\n\nconsole.log(getPrice({ name: "tea", cents: 450 }, 1));\n';
const NOTES = 'import { getPrice } from "./prices.ts";\n\n/** More than {@link getPrice} says. */\nexport const note = getPrice.name;\n';

let window;
const scenario = scenarios(test, () => window);
before(async () => {
  window = await openWindow({ name: "shop", files: path.join(ROOT, "examples/shop"), settings: SETTINGS, prepare });
});
after(async () => window?.close());

function prepare(folder) {
  fs.mkdirSync(path.join(folder, "extra"));
  fs.writeFileSync(path.join(folder, "extra/loose.ts"), LOOSE);
  fs.writeFileSync(path.join(folder, "src/notes.ts"), NOTES);
}

function view(vs) {
  return vs.page.locator(".part.sidebar");
}

/** A line of the tree; the one that stays at the top while the list scrolls is a copy. */
function row(vs, text) {
  return view(vs).locator(".monaco-list-rows .monaco-list-row", { hasText: text });
}

async function button(vs, name) {
  await view(vs).locator(".composite.title").hover();
  await view(vs).locator(`.composite.title .action-label[aria-label^="${name}"]`).click();
}

/** Until what stands above the tree has these words. */
async function told(vs, words, patience = {}) {
  await view(vs).locator(".message", { hasText: words }).waitFor(patience);
}

/** Until the lines of the tree are what `fits` wants. */
async function listed(vs, fits) {
  await vs.until(async () => fits(await lines(vs)), "the lines of the tree");
}

async function lines(vs) {
  const rows = view(vs).locator(".monaco-list-rows .monaco-list-row");
  return (await rows.evaluateAll((all) => all.map((one) => `${one.ariaLevel} ${one.ariaLabel}`))).sort();
}

scenario("a place without a name is refused, and no view comes up", async (vs) => {
  await vs.open("shop/stock.py");
  await vs.goto(2, 1);
  await vs.command("Surefoot: Show All Sites");
  await vs.toast("There is no name at this place").waitFor();
  assert.equal(await vs.page.locator('.activitybar .action-label[aria-label^="Surefoot"]').count(), 0);
  await vs.clearToasts();
});

scenario("the sites of a function stand by tier and file", async (vs) => {
  await vs.open("src/prices.ts");
  await vs.cursor("src/prices.ts", "getPrice", "function getPrice");
  await vs.command("Surefoot: Show All Sites");
  await told(vs, "getPrice: 17 sites in 7 files.");
  await listed(vs, (all) => all.includes("2 README.md (1)"));
  const shown = await lines(vs);
  const groups = ["1 Exact (14), resolve to the symbol", "1 Mention (3), comments, strings and documents"];
  for (const group of [...groups, "2 loose.ts (2), extra", "2 prices.test.ts (4), test"]) assert.ok(shown.includes(group), group);
  await vs.shot("tree");
});

scenario("TypeScript's own server is asked, too, and no difference is hidden", async (vs) => {
  await vs.page.locator(".statusbar-item", { hasText: "Initializing" }).waitFor({ state: "detached" });
  // It answers with what it has read by then, so a person asks again until it has read the project.
  const all = "The editor’s language server: 12 the same, 2 not in its answer, 1 only there. Refresh asks it again.";
  await vs.until(async () => {
    await button(vs, "Refresh Sites");
    return await told(vs, all, { timeout: 3000 }).then(
      () => true,
      () => false,
    );
  }, "the editor's server to have read the project");
  await listed(vs, (all) => all.some((line) => line.includes("counts it")));
  const differing = (await lines(vs)).filter((line) => line.includes("the editor's"));
  assert.deepEqual(differing, [
    "3 /** More than {@link getPrice} says. */, 3 · the editor's language server counts it; in a comment",
    `3 console.log(getPrice({ name: "tea", cents: 450 }, 1));, 3 · not in the editor's answer; resolves to the symbol`,
    `3 import { getPrice } from "../src/prices.ts";, 1 · not in the editor's answer; resolves to the symbol`,
  ]);
  await vs.clearToasts();
  await vs.shot("second-opinion");
});

scenario("Surefoot's own servers are asked where somebody wants that, and the editor's again after a refresh", async (vs) => {
  await button(vs, "Ask Language Servers");
  // It is shown every file with a site, loose.ts among them.
  await told(vs, /typescript 7\.[\d.]+: 14 agreed, 1 that we list as something else\./);
  await listed(vs, (all) => all.some((line) => line.includes("typescript counts it")));
  await vs.shot("asked");
  await button(vs, "Refresh Sites");
  await told(vs, "The editor’s language server: 12 the same");
});

scenario("the keyboard leads from the tree to a site, and a click to another", async (vs) => {
  await vs.cursor("src/prices.ts", "getPrice", "function getPrice");
  await vs.command("Surefoot: Show All Sites");
  await view(vs).locator(".monaco-list:focus").waitFor();
  for (const key of ["Home", "ArrowDown", "ArrowDown", "Enter"]) await vs.page.keyboard.press(key);
  await vs.page.locator('.tab.active[data-resource-name="loose.ts"]').waitFor();
  await vs.page.locator(".statusbar-item", { hasText: "Ln 1, Col 18 (8 selected)" }).waitFor();
  await row(vs, "return this.lines.reduce").click();
  await vs.page.locator('.tab.active[data-resource-name="cart.ts"]').waitFor();
  await vs.page.locator(".statusbar-item", { hasText: "Ln 21, Col 76 (8 selected)" }).waitFor();
  assert.equal(await vs.page.locator('.tab[data-resource-name="loose.ts"]').count(), 0, "it was a preview");
});

scenario("tests can be left out", async (vs) => {
  await button(vs, "Leave Out Sites in Tests");
  await told(vs, "getPrice: 13 sites in 6 files. 4 sites in tests left out.");
  await row(vs, "Exact (10)").waitFor();
  await button(vs, "Include Sites in Tests");
  await row(vs, "Exact (14)").waitFor();
});

scenario("typing makes the tree out of date, its lines still lead to their sites, and a refresh looks again", async (vs) => {
  await vs.goto(1, 1);
  await vs.page.keyboard.type("// first\n");
  await told(vs, "Text has changed since. Refresh to look again.");
  await vs.shot("out-of-date");
  await row(vs, "return this.lines.reduce").click();
  await vs.page.locator(".statusbar-item", { hasText: "Ln 22, Col 76 (8 selected)" }).waitFor();
  await button(vs, "Refresh Sites");
  await view(vs).locator(".message", { hasNotText: "Text has changed" }).waitFor();
  await listed(vs, (all) => all.some((line) => line.includes("return this.lines.reduce") && line.includes(", 22 · ")));
});

scenario("a cleared view says how it is filled", async (vs) => {
  await button(vs, "Clear Sites");
  await view(vs).getByText("Put the cursor on a name to see everywhere it is used").waitFor();
  await view(vs).locator("a.monaco-button", { hasText: "Show All Sites" }).waitFor();
  assert.deepEqual(await lines(vs), []);
  await vs.shot("cleared");
});
