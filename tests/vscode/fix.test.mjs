// A finding under the cursor: squiggle, lightbulb, a fix that was checked, the changed buffer, and undo.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { CHECKOUT, emptyEnvironment } from "./servers.mjs";
import { openWindow, scenarios } from "./window.mjs";

const BROKEN = `"""Receipts for the till."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    name: str
    price: Decimal
    quantity: int


def total(lines: list[Line]) -> Decimal:
    """What all lines cost together; nothing costs nothing."""
    return sum((line.price * line.quantity for line in lines), start=Decimal(0))


def receipt(lines: list[Line]) -> str:
    """One line of text for each line, the sum last."""
    texts = [f"{line.quantity:>3} x {line.name}" for line in lines]
    return "\\n".join([*texts, f"Total: {total(lines):.2f}"])
`;
// The sign takes two units of the editor's columns and one character: a column counted wrongly ends in the wrong word.
const ASTRAL = `title, price = "𝄞 songs", Decimal("9.99")\n`;
const OFFER = "Import decimal.Decimal";
const IMPORT = "from decimal import Decimal";

let window;
const scenario = scenarios(test, () => window);
before(async () => {
  window = await openWindow({
    name: "till",
    files: { "receipts.py": BROKEN, "songs.py": ASTRAL },
    settings: CHECKOUT,
    prepare: emptyEnvironment,
  });
});
after(async () => window?.close());

scenario("a finding is underlined", async (vs) => {
  await vs.open("receipts.py");
  await vs.squiggle("error").first().waitFor();
  await vs.shot("squiggle");
});

scenario("the lightbulb offers a fix and names the checks it passed", async (vs) => {
  await vs.cursor("receipts.py", "Decimal");
  const titles = await vs.lightbulb(OFFER);
  await vs.shot("lightbulb");
  const title = titles.find((text) => text.includes(OFFER));
  assert.match(title, /\+1 · .*ruff ✓ ty ✓$/);
});

scenario("the fix changes the buffer, and nothing but the buffer", async (vs) => {
  await vs.pick(OFFER);
  await vs.line(IMPORT).waitFor();
  await vs.squiggle("error").first().waitFor({ state: "detached" });
  await vs.shot("fixed");
  assert.equal(vs.read("receipts.py"), BROKEN, "the file is not saved behind a person's back");
});

scenario("undo brings the text and its finding back, redo the fix", async (vs) => {
  await vs.page.keyboard.press("Control+Z");
  await vs.line(IMPORT).waitFor({ state: "detached" });
  await vs.squiggle("error").first().waitFor();
  await vs.shot("undone");
  await vs.page.keyboard.press("Control+Shift+Z");
  await vs.line(IMPORT).waitFor();
  await vs.saveAll();
  assert.equal(vs.read("receipts.py").replace(`${IMPORT}\n`, ""), BROKEN);
});

scenario("columns are the editor's after a character of two units", async (vs) => {
  await vs.open("songs.py");
  await vs.squiggle("error").first().waitFor();
  await vs.cursor("songs.py", "Decimal");
  await vs.lightbulb(OFFER);
  await vs.pick(OFFER);
  await vs.line(IMPORT).waitFor();
  await vs.squiggle("error").first().waitFor({ state: "detached" });
  await vs.saveAll();
  assert.match(vs.read("songs.py"), /^from decimal import Decimal\n+title, price = "𝄞 songs", Decimal\("9\.99"\)\n$/);
});
