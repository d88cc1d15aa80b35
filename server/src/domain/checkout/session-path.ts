/** Where the pages of checkouts are. */

interface Cart {
  elementId: string | null;
  offerIds: readonly string[];
}

/** What a merchant may have bound the buyer to. */
interface Terms extends Cart {
  byMerchant: boolean;
  lockedFields: readonly string[];
  setQuantities: Readonly<Record<string, number>>;
}

/**
 * Whether everybody's link sells the cart of a session that has ended: what its merchant has bound it to is theirs to
 * offer again.
 */
export function canStartAgain({ byMerchant, elementId, offerIds, ...bound }: Terms): boolean {
  if (!byMerchant) return true;
  const isPublic = elementId !== null || offerIds.length === 1;
  return isPublic && bound.lockedFields.length === 0 && Object.keys(bound.setQuantities).length === 0;
}

/** The link that leads everybody to a checkout of their own. */
export const toLinkPath = ({ elementId, offerIds }: Cart): string =>
  elementId === null ? `/checkout/${offerIds[0]}` : `/checkout-element/${elementId}`;

/** The page of one session. */
export const toSessionPath = ({ token, ...cart }: Cart & { token: string }): string =>
  `${toLinkPath(cart)}/checkout/${token}`;
