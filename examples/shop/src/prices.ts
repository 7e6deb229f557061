/** What a product costs, in cents. */
export type Product = { readonly name: string; readonly cents: number; readonly bulkFrom?: number };

const BULK_DISCOUNT = 0.1;

/** The price of `quantity` pieces in cents; from `bulkFrom` pieces on, a tenth is off. */
export function getPrice(product: Product, quantity: number): number {
  const full = product.cents * quantity;
  const bulk = product.bulkFrom !== undefined && quantity >= product.bulkFrom;
  return bulk ? Math.round(full * (1 - BULK_DISCOUNT)) : full;
}

/** Cents as people write them: `12.50 €`. */
export function formatCents(cents: number): string {
  return `${(cents / 100).toFixed(2)} €`;
}
