import assert from "node:assert/strict";
import test from "node:test";

import { Cart } from "../src/cart.ts";
import { getPrice } from "../src/prices.ts";
import { printReceipt } from "../src/receipt.ts";

const tea = { name: "tea", cents: 450, bulkFrom: 10 };
const cup = { name: "cup", cents: 800 };

test("a tenth is off from ten pieces on", () => {
  assert.equal(getPrice(tea, 9), 4050);
  assert.equal(getPrice(tea, 10), 4050);
  assert.equal(getPrice(cup, 10), 8000);
});

test("the receipt lists every product and the sum", () => {
  const cart = new Cart().add(tea, 6).add(cup).add(tea, 4);
  assert.equal(printReceipt(cart), "10 × tea: 40.50 €\n1 × cup: 8.00 €\nTotal: 48.50 €");
});
