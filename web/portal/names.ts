import type { Order } from './shapes.ts';

interface Named {
  name: string;
  product?: { name: string } | null;
  variant?: { name: string | null } | null;
}

const isSaid = (part: string, by: string): boolean => by.toLowerCase().includes(part.toLowerCase());

/** What was bought by its whole name: an offer may be called "Monthly", which says little away from its product. */
export function toFullName({ name, product, variant }: Named): string {
  const ofVariant = variant?.name ?? '';
  const ofProduct = product?.name ?? '';
  const byVariant = isSaid(ofVariant, name) ? name : `${ofVariant} · ${name}`;
  return isSaid(ofProduct, byVariant) ? byVariant : `${ofProduct} · ${byVariant}`;
}

/** What an order holds, each by its whole name. */
export function toItemNames({
  itemNames = [],
  itemNotes = [],
}: Pick<Order, 'itemNames' | 'itemNotes'>): string {
  return itemNames.map((name, at) => [itemNotes[at], name].filter(Boolean).join(' · ')).join(', ');
}
