import type { Order } from './shapes.ts';

/** What was bought by its whole name: an offer may be called "Monthly", which says little away from its product. */
export function toFullName({ name, product }: { name: string; product?: { name: string } | null }): string {
  const ofProduct = product?.name ?? '';
  return name.toLowerCase().includes(ofProduct.toLowerCase()) ? name : `${ofProduct} · ${name}`;
}

/** What an order holds, each by its whole name. */
export function toItemNames({
  itemNames = [],
  itemNotes = [],
}: Pick<Order, 'itemNames' | 'itemNotes'>): string {
  return itemNames.map((name, at) => [itemNotes[at], name].filter(Boolean).join(' · ')).join(', ');
}
