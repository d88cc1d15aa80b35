/** The longest text that is derived from a name; a numeric suffix still fits behind it. */
const DERIVED_MAX = 80;

/**
 * A name as it stands in an address: lower case, accents gone, everything but letters and digits of any
 * script a hyphen. A name without any gives `fallback`.
 */
export function toSlug(name: string, fallback: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const cut = [...plain.replace(/^-/, '')].slice(0, DERIVED_MAX).join('').replace(/-$/, '');
  return cut || fallback;
}

/** A workspace's name as its portal's address says it: 3 to 32 of `a-z`, `0-9` and hyphens. */
export function toPortalSlug(name: string): string {
  const plain = toSlug(name, '').replace(/[^a-z0-9-]+/g, '');
  const cut = plain.replace(/-+/g, '-').slice(0, 32).replace(/^-|-$/g, '');
  return cut.length >= 3 ? cut : `shop-${cut}`.replace(/-$/, '');
}
