// A finding under the cursor: squiggle, lightbulb, a fix that was checked, the changed buffer, and undo.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { CHECKOUT } from "./servers.mjs";
import { openWindow, scenario } from "./window.mjs";

const BROKEN = `from dataclasses import dataclass


@dataclass
class Order:
    price: float
    quantity: int


def total(orders: list[Order]) -> float:
    """What all orders cost together. 🧾"""
    return sum(order.prise * order.quantity for order in orders)
`;
const FIXED = BROKEN.replace("order.prise", "order.price");

let window;
before(async () => {
  window = await openWindow({ name: "fix", files: { "orders.py": BROKEN }, settings: CHECKOUT });
});
after(async () => window?.close());

scenario(
  test,
  () => window,
  "a finding is underlined",
  async (vs) => {
    await vs.open("orders.py");
    await vs.squiggle("error").first().waitFor();
    await vs.shot("squiggle");
  },
);

scenario(
  test,
  () => window,
  "the lightbulb offers a fix and names the checks it passed",
  async (vs) => {
    await vs.cursor("orders.py", "prise");
    const titles = await vs.lightbulb("prise to price");
    await vs.shot("lightbulb");
    const title = titles.find((text) => text.includes("prise to price"));
    assert.match(title, /\+1 −1 · .*ty ✓/);
    assert.match(title, /ruff ✓/);
  },
);

scenario(
  test,
  () => window,
  "the fix changes the buffer, and nothing but the buffer",
  async (vs) => {
    await vs.pick("prise to price");
    await vs.line("order.price * order.quantity").waitFor();
    await vs.squiggle("error").first().waitFor({ state: "detached" });
    await vs.shot("fixed");
    assert.equal(vs.read("orders.py"), BROKEN, "the file is not saved behind a person's back");
  },
);

scenario(
  test,
  () => window,
  "undo brings the text and its finding back",
  async (vs) => {
    await vs.page.keyboard.press("Control+Z");
    await vs.line("order.prise * order.quantity").waitFor();
    await vs.squiggle("error").first().waitFor();
    await vs.page.keyboard.press("Control+Shift+Z");
    await vs.line("order.price * order.quantity").waitFor();
    await vs.saveAll();
    assert.equal(vs.read("orders.py"), FIXED);
  },
);
