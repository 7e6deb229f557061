import { getPrice, type Product } from "./prices.ts";

export type Line = { readonly product: Product; readonly quantity: number };

/** What a customer is about to buy; adding the same product again adds to its line. */
export class Cart {
  readonly #lines = new Map<string, Line>();

  add(product: Product, quantity = 1): this {
    const had = this.#lines.get(product.name)?.quantity ?? 0;
    this.#lines.set(product.name, { product, quantity: had + quantity });
    return this;
  }

  get lines(): readonly Line[] {
    return [...this.#lines.values()];
  }

  /** The sum in cents. getPrice knows about bulk discounts, so it is asked once per line. */
  total(): number {
    return this.lines.reduce((sum, { product, quantity }) => sum + getPrice(product, quantity), 0);
  }
}
