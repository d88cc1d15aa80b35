/** Where the pages of checkouts are. */

interface Cart {
  elementId: string | null;
  offerIds: readonly string[];
}

/** The link that leads everybody to a checkout of their own. */
export const toLinkPath = ({ elementId, offerIds }: Cart): string =>
  elementId === null ? `/checkout/${offerIds[0]}` : `/checkout-element/${elementId}`;

/** The page of one session. */
export const toSessionPath = ({ token, ...cart }: Cart & { token: string }): string =>
  `${toLinkPath(cart)}/checkout/${token}`;
