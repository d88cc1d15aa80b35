/** Where a shop's buyers withdraw and cancel without signing in, and where they do after it. */
import type { ConsumerBlock } from '../settings-blocks.ts';

export interface LegalPaths {
  /** Of who has bought: behind it lie their orders and subscriptions. */
  portal: string | null;
  /** Null = the shop offers none. */
  withdraw: string | null;
  cancel: string | null;
}

export interface LegalFacts {
  portalSlug: string;
  testMode: boolean;
  settings: ConsumerBlock;
  hasSubscriptionOffers: boolean;
  /** Of orders that were made with the right to withdraw: what is switched off later takes it from nobody. */
  hasRunningRight: boolean;
}

/** Path of a store's portal; each of its pages lies below. */
export function toPortalPath({ portalSlug, testMode }: Pick<LegalFacts, 'portalSlug' | 'testMode'>): string {
  return `/portal/${portalSlug}${testMode ? '/test' : ''}`;
}

export function toLegalPaths(facts: LegalFacts): LegalPaths {
  const { settings, hasSubscriptionOffers, hasRunningRight } = facts;
  const base = toPortalPath(facts);
  const canCancel = settings.cancellationPage === 'auto' && hasSubscriptionOffers;
  return {
    portal: base,
    withdraw: settings.withdrawal === 'off' && !hasRunningRight ? null : `${base}/withdraw`,
    cancel: canCancel ? `${base}/cancel-contract` : null,
  };
}

/** A purchase in the portal. The address to sign in with stands behind the sign that no server is sent. */
export function toManagePath(
  portal: string,
  { kind, number, email }: { kind: 'orders' | 'subscriptions'; number: string; email: string },
): string {
  return `${portal}/${kind}/${number}#email=${encodeURIComponent(email)}`;
}
