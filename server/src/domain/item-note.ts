/** What is sold, beside its own name. */

interface Named {
  name: string;
  productName: string | null;
  variantName: string | null;
}

/** Product and variant as far as the name leaves them out: an offer may be called `Monthly`. Null where it says all. */
export function toItemNote({ name, productName, variantName }: Named): string | null {
  const isSaid = (part: string, by: string) => by.toLowerCase().includes(part.toLowerCase());
  const variant = variantName !== null && !isSaid(variantName, name) ? variantName : null;
  const product =
    productName !== null && !isSaid(productName, `${name}\n${variant ?? ''}`) ? productName : null;
  return [product, variant].filter(Boolean).join(' · ') || null;
}

/** What keeps copies of what was sold. */
interface Sold {
  name: string;
  product: unknown;
  variant: unknown;
}

/** Of a copy of the short form that was sold. */
export const nameOf = (sold: unknown): string | null =>
  (sold as { name: string | null } | null)?.name ?? null;

/** By its whole name, for where it stands alone; nothing of nothing. */
export function toWholeName(sold: Sold | undefined): string {
  if (sold === undefined) return '';
  const { name, product, variant } = sold;
  const note = toItemNote({ name, productName: nameOf(product), variantName: nameOf(variant) });
  return note === null ? name : `${note} · ${name}`;
}
