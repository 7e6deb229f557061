import type { Cart } from "./cart.ts";
import { formatCents, getPrice as linePrice } from "./prices.ts";

/** A receipt as plain text: one line per product, the sum last. */
export function printReceipt(cart: Cart): string {
  const lines = cart.lines.map(({ product, quantity }) => `${quantity} × ${product.name}: ${formatCents(linePrice(product, quantity))}`);
  return [...lines, `Total: ${formatCents(cart.total())}`].join("\n");
}
