/** What became of the checkouts of a day. */

/** In which frame a checkout stood; `page` = in none. */
export const CHECKOUT_FRAMES = ['page', 'overlay', 'embed'] as const;
export type CheckoutFrame = (typeof CHECKOUT_FRAMES)[number];

export interface CheckoutCounts {
  day: number;
  frame: CheckoutFrame;
  viewed: number;
  started: number;
  submitted: number;
  declined: number;
  paid: number;
  /** Minor units of the store's currency: what was paid at once. */
  value: bigint;
}
