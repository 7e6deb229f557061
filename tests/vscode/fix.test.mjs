// A finding under the cursor: squiggle, lightbulb, a fix that was checked, the changed buffer, and undo.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { CHECKOUT } from "./servers.mjs";
import { openWindow, scenarios } from "./window.mjs";

const BROKEN = `from dataclasses import dataclass


@dataclass
class Order:
    name: str
    price: float
    quantity: int


def save_receipt(folder: Path, orders: list[Order]) -> None:
    """Write one line per order, and the sum last."""
    lines = [f"{order.quantity} x {order.name}" for order in orders]
    total = sum(order.price * order.quantity for order in orders)
    (folder / "receipt.txt").write_text("\\n".join([*lines, f"Total: {total:.2f}"]))
`;
// The sign takes two units of the editor's columns and one character: a column counted wrongly ends in the wrong word.
const ASTRAL = `title, folder = "𝄞 songs", Path("songs")\n`;
const IMPORT = "import pathlib.Path";

let window;
const scenario = scenarios(test, () => window);
before(async () => {
  window = await openWindow({ name: "fix", files: { "receipts.py": BROKEN, "songs.py": ASTRAL }, settings: CHECKOUT });
});
after(async () => window?.close());

scenario("a finding is underlined", async (vs) => {
  await vs.open("receipts.py");
  await vs.squiggle("error").first().waitFor();
  await vs.shot("squiggle");
});

scenario("the lightbulb offers a fix and names the checks it passed", async (vs) => {
  await vs.cursor("receipts.py", "Path");
  const titles = await vs.lightbulb(IMPORT);
  await vs.shot("lightbulb");
  const title = titles.find((text) => text.includes(IMPORT));
  assert.match(title, /\+1 · syntax ✓ ruff ✓ ty ✓/);
});

scenario("the fix changes the buffer, and nothing but the buffer", async (vs) => {
  await vs.pick(IMPORT);
  await vs.line("from pathlib import Path").waitFor();
  await vs.squiggle("error").first().waitFor({ state: "detached" });
  await vs.shot("fixed");
  assert.equal(vs.read("receipts.py"), BROKEN, "the file is not saved behind a person's back");
});

scenario("undo brings the text and its finding back, redo the fix", async (vs) => {
  await vs.page.keyboard.press("Control+Z");
  await vs.line("from pathlib import Path").waitFor({ state: "detached" });
  await vs.squiggle("error").first().waitFor();
  await vs.shot("undone");
  await vs.page.keyboard.press("Control+Shift+Z");
  await vs.line("from pathlib import Path").waitFor();
  await vs.saveAll();
  assert.equal(vs.read("receipts.py").replace("from pathlib import Path\n", ""), BROKEN);
});

scenario("columns are the editor's after a character of two units", async (vs) => {
  await vs.open("songs.py");
  await vs.squiggle("error").first().waitFor();
  await vs.cursor("songs.py", "Path");
  await vs.lightbulb(IMPORT);
  await vs.pick(IMPORT);
  await vs.line("from pathlib import Path").waitFor();
  await vs.squiggle("error").first().waitFor({ state: "detached" });
  await vs.saveAll();
  assert.match(vs.read("songs.py"), /^from pathlib import Path\n+title, folder = "𝄞 songs", Path\("songs"\)\n$/);
});
