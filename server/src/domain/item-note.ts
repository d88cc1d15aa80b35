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
