/** Where each kind of object has its page; a longer path stands before what it begins with. */
export const DETAIL_PATHS = [
  ['/orders/payments/:id', 'payment'],
  ['/orders/withdrawals/:id', 'withdrawal'],
  ['/orders/cancellation-notices/:id', 'notice'],
  ['/orders/:id', 'order'],
  ['/subscriptions/:id', 'subscription'],
  ['/customers/:id', 'customer'],
  ['/catalogue/products/:id', 'product'],
  ['/catalogue/checkouts/:id', 'checkout'],
  ['/mail/:id', 'mail'],
  ['/settings/payments/:id', 'processor'],
  ['/settings/imports/:id', 'import'],
  ['/developers/webhooks/:id', 'webhook'],
  ['/developers/events/:id', 'event'],
] as const;

export type DetailKind = (typeof DETAIL_PATHS)[number][1];

/** The object that an address within the store shows; null = none. */
export function findDetail(href: string): { kind: DetailKind; id: string } | null {
  for (const [pattern, kind] of DETAIL_PATHS) {
    const start = pattern.slice(0, -':id'.length);
    const rest = href.slice(start.length);
    if (href.startsWith(start) && /^[^/?#]+$/.test(rest)) return { kind, id: decodeURIComponent(rest) };
  }
  return null;
}
