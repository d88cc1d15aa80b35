/** The addresses of a portal: its slug, and behind it the mode. */

export interface PortalStore {
  slug: string;
  testMode: boolean;
}

export function toPortalPath({ slug, testMode }: PortalStore): string {
  return `/portal/${slug}${testMode ? '/test' : ''}`;
}

/** Where a buyer sees what they pay by. */
export const toMethodsPath = (store: PortalStore): string => `${toPortalPath(store)}/payment-methods`;

/** Whether what follows a portal's address is a link that a merchant gave to its buyer. */
export const isMerchantLink = (rest: string): boolean => /^(?:test\/)?open\/[\w.-]{20,200}$/.test(rest);

/** What a request says in `x-svc-store`: `{slug}` or `{slug}/test`; null for what names no portal. */
export function readStoreName(text: string): PortalStore | null {
  const [, slug, mode] = /^([a-z0-9][a-z0-9-]{1,38}[a-z0-9])(\/test)?$/.exec(text) ?? [];
  return slug === undefined ? null : { slug, testMode: mode !== undefined };
}

export const PORTAL_FLOWS = [
  'overview',
  'orders',
  'library',
  'billing_details',
  'payment_method',
  'subscription',
  'subscription_change',
  'subscription_cancel',
  'subscription_pay',
] as const;
export type PortalFlow = (typeof PORTAL_FLOWS)[number];

/** Tasks that are about one subscription. */
export const isOfSubscription = (flow: PortalFlow): boolean => flow.startsWith('subscription');
