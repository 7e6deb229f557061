import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import type { SiteShown, SitesResult, Tier } from "../../src/lspExt";
import { positionAfter, type Second, type SiteNode, Sites } from "../../src/sites";

const ROOT = "file:///shop/";

function site(place: string, tier: Tier, over: Partial<SiteShown> = {}): SiteShown {
  const [file = "", line = "1", character = "1"] = place.split(":");
  const start = { line: Number(line) - 1, character: Number(character) - 1 };
  const range = { start, end: { line: start.line, character: start.character + 5 } };
  const text = `total on ${line}`;
  return { uri: ROOT + file, range, kind: "call", tier, reason: "why", function: "", test: false, text, opinion: "", ...over };
}

const SITES = [
  site("src/orders.py:1:5", "exact", { opinion: "both", reason: "" }),
  site("src/orders.py:9:3", "exact", { opinion: "ours", reason: "not in the editor's answer; through the alias add", function: "bill" }),
  site("src/stock.py:2:5", "exact", { opinion: "both", kind: "definition" }),
  site("tests/test_stock.py:4:3", "exact", { test: true }),
  site("src/guess.py:7:1", "likely", { opinion: "theirs" }),
  site("src/other.py:3:1", "excluded"),
];
const ANCHOR = { uri: `${ROOT}src/stock.py`, position: { line: 1, character: 6 } };

function sites(
  second: Second = "united",
  listed = SITES,
  unread = [{ uri: `${ROOT}src/broken.py`, reason: "line 3 does not parse" }],
): Sites {
  const result: SitesResult = { name: "total", symbols: [], sites: listed, notScanned: unread, counts: [] };
  return new Sites(result, ANCHOR, second);
}

function shown(uri: string): string {
  return uri.slice(ROOT.length);
}

/** The tree as text: an indent a level, `+` before what is folded. */
function drawn(nodes: readonly SiteNode[], depth = 0): string[] {
  return nodes.flatMap((node) => {
    const folded = node.children.length > 0 && !node.open ? "+" : "";
    const marks = [node.description, node.differs, node.test === true ? "test" : undefined].filter(Boolean).join(" | ");
    return [`${"  ".repeat(depth)}${folded}${node.label}${marks === "" ? "" : ` | ${marks}`}`, ...drawn(node.children, depth + 1)];
  });
}

function lines(nodes: readonly SiteNode[]): SiteNode[] {
  return nodes.flatMap((node) => [...(node.kind === "site" ? [node] : []), ...lines(node.children)]);
}

test("sites stand under their tier and file, with counts, reasons and who differs", () => {
  assert.deepEqual(drawn(sites().tree(true, shown)), [
    "Exact (4) | resolve to the symbol",
    "  orders.py (2) | src",
    "    total on 1 | 1",
    "    total on 9 | 9 · not in the editor's answer; through the alias add | ours",
    "  stock.py (1) | src",
    "    total on 2 | 2 · why",
    "  test_stock.py (1) | tests",
    "    total on 4 | 4 · why | test",
    "Likely (1) | could not be resolved",
    "  guess.py (1) | src",
    "    total on 7 | 7 · why | theirs",
    "+Excluded (1) | resolve to something else",
    "  other.py (1) | src",
    "    total on 3 | 3 · why",
    "+Not scanned (1)",
    "  broken.py | src · line 3 does not parse",
  ]);
});

test("a line tells the rest when it is pointed at, and has a name of its own", () => {
  const line = lines(sites().tree(true, shown))[1];
  assert.equal(line?.tooltip, "src/orders.py:9:3\ncall in bill\nexact: not in the editor's answer; through the alias add");
  const ids = lines(sites().tree(true, shown)).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test("tests are left out, and that is said", () => {
  const all = sites();
  assert.equal(lines(all.tree(false, shown)).length, SITES.length - 1);
  assert.equal(all.tree(false, shown)[0]?.label, "Exact (3)");
  assert.match(all.message(true), /^total: 5 sites in 4 files\./);
  assert.match(all.message(false), /^total: 4 sites in 3 files\. /);
  assert.match(all.message(false), / 1 site in tests left out\./);
  assert.doesNotMatch(all.message(true), /left out/);
});

function asking(...said: string[]): Sites {
  const servers = said.map((each) => ({ name: "", version: "", said: each }));
  return new Sites({ name: "total", symbols: [], sites: SITES, notScanned: [], counts: [], servers }, ANCHOR, "asked");
}

test("the message says what another server thinks", () => {
  const agreeing = SITES.slice(0, 1);
  const cases: [Sites, string][] = [
    [sites("waiting"), ""],
    [sites("none"), "No other language server answered for this name. Ask Language Servers starts one."],
    [sites("asked"), "There is no definition here to ask a language server about."],
    [asking("ty 1.2: 2 agreed", "gopls: not found on PATH"), "ty 1.2: 2 agreed. gopls: not found on PATH."],
    [sites("united"), "The editor’s language server: 2 the same, 1 not in its answer, 1 only there. Refresh asks it again."],
    [sites("united", agreeing), "The editor’s language server agrees: 1 site."],
  ];
  for (const [asked, message] of cases) assert.equal(asked.message(true).replace(/^total: .*? files?\.\s?/, ""), message);
});

test("an answer is out of date once its files move, or the name appears elsewhere", () => {
  const edit = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: "x" };
  const cases: [string, boolean, (typeof edit)[], boolean][] = [
    ["src/orders.py", false, [edit], true],
    ["src/broken.py", false, [edit], true],
    ["src/new.py", true, [edit], true],
    ["src/new.py", false, [edit], false],
    ["src/orders.py", true, [], false],
  ];
  for (const [file, holds, edits, outdated] of cases) {
    const asked = sites();
    assert.equal(
      asked.edited(ROOT + file, edits, (word) => word === "total" && holds),
      outdated,
    );
    assert.equal(asked.outdated, outdated);
    assert.equal(asked.message(true).includes("Text has changed since. Refresh to look again."), outdated);
  }
  const asked = sites();
  asked.edited(`${ROOT}src/orders.py`, [edit], () => false);
  assert.equal(
    asked.edited(`${ROOT}src/orders.py`, [edit], () => false),
    false,
    "it is said once",
  );
});

test("sites, and the place that was asked about, move with the text around them", () => {
  const asked = sites();
  const tree = lines(asked.tree(true, shown));
  const above = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: "# one\n# two\n" };
  for (const file of ["orders.py", "stock.py"]) asked.edited(`${ROOT}src/${file}`, [above], () => false);
  assert.deepEqual(
    tree.map(({ site: place }) => place?.range.start.line),
    [2, 10, 3, 3, 6, 2],
  );
  assert.deepEqual(asked.anchor.position, { line: 3, character: 6 });
  assert.deepEqual(ANCHOR.position, { line: 1, character: 6 });
});

test("a position after an edit", () => {
  const at = { line: 5, character: 10 };
  const cases: [[number, number, number, number], string, [number, number]][] = [
    [[6, 0, 6, 0], "x\ny", [5, 10]],
    [[5, 11, 5, 12], "", [5, 10]],
    [[5, 10, 5, 10], "ab", [5, 12]],
    [[5, 2, 5, 4], "longer", [5, 14]],
    [[5, 2, 5, 4], "a\r\nbc", [6, 8]],
    [[4, 3, 5, 2], "", [4, 11]],
    [[3, 0, 4, 0], "", [4, 10]],
    [[5, 8, 5, 12], "whole", [5, 8]],
    [[0, 0, 0, 0], "a\rb\n", [7, 10]],
  ];
  for (const [[line, character, toLine, toCharacter], text, [newLine, newCharacter]] of cases) {
    const range = { start: { line, character }, end: { line: toLine, character: toCharacter } };
    assert.deepEqual(positionAfter(at, { range, text }), { line: newLine, character: newCharacter }, JSON.stringify([range, text]));
  }
});

test("the manifest starts and offers the command in every language that sites are found in", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
    activationEvents: string[];
    contributes: { menus: Record<string, { command: string; when: string }[]> };
  };
  const read = /READ_LANGUAGES.*= \[\.\.\.LANGUAGES, (.*)\]/.exec(readFileSync("src/config.ts", "utf8"))?.[1] ?? "";
  const changed = /const LANGUAGES = \[(.*)\]/.exec(readFileSync("src/config.ts", "utf8"))?.[1] ?? "";
  const languages = [...`${changed}, ${read}`.matchAll(/"(\w+)"/g)].map((found) => found[1] ?? "");
  assert.ok(languages.length >= 14);
  const when = manifest.contributes.menus["editor/context"]?.find(({ command }) => command === "surefoot.showAllSites")?.when ?? "";
  const offered = /editorLangId =~ \/\^\((.*)\)\$\//.exec(when)?.[1]?.split("|");
  assert.deepEqual(offered, languages);
  assert.deepEqual(
    manifest.activationEvents.map((event) => event.replace("onLanguage:", "")),
    languages,
  );
});
