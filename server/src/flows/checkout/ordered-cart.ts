/** What a declined order is for, to be paid again as it was ordered: its own quantities and prices, its buyer's form. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import type { BuyerForm } from '../../domain/checkout/buyer.ts';
import { findSessionOfOrder } from '../../resources/checkouts/checkouts.queries.ts';
import { findOrder, listOrderItems } from '../../resources/orders/orders.queries.ts';
import { listSubscriptionItems } from '../../resources/subscriptions/subscriptions.queries.ts';
import { type Cart, loadCart } from '../pricing/quote-cart.ts';
import type { Session } from './open-checkout.ts';
import { isPutRight } from './put-right.ts';
import { toForm } from './show-checkout.ts';
import { withoutSpentTrial } from './spent-trial.ts';

export interface OrderedCart {
  session: Session;
  cart: Cart;
  form: BuyerForm;
  /** The moment whose discounts and taxes it is priced by. */
  pricedAtMs: number;
  /** It is paid as its rows stand, whatever the cart would cost. */
  isPutRight: boolean;
}

/** Null for an order that no checkout has made. Refuses offer_not_for_sale where one is sold no more. */
export async function loadOrderedCart(
  ctx: Context,
  scope: Scope,
  orderId: string,
): Promise<OrderedCart | null> {
  const session = await findSessionOfOrder(ctx.db, scope, orderId);
  const order = await findOrder(ctx.db, scope, orderId);
  if (!session || !order) return null;
  const sold = await listSold(ctx, scope, { orderId, subscriptionId: order.subscriptionId });
  const offerIds = sold.flatMap(({ offerId }) => (offerId === null ? [] : [offerId]));
  const cart = await loadCart(ctx.db, scope, { offerIds, quantity: null, quantityBy: 'merchant' });
  const form = toForm(session);
  const lines = cart.lines.map((line) => {
    const item = sold.find(({ offerId }) => offerId === line.offer.id);
    return item
      ? { ...line, quantity: item.quantity, offer: { ...line.offer, price: item.unitPrice } }
      : line;
  });
  const { trialSpentBy } = session;
  const ordered = withoutSpentTrial({ ...cart, lines }, { trialSpentBy, email: form.email });
  return {
    ...{ session, cart: ordered, form, pricedAtMs: order.createdAt },
    isPutRight: await isPutRight(ctx.db, scope, order),
  };
}

/** In a trial the order's own lines are of 0: the subscription has the price. */
async function listSold(
  { db }: Context,
  scope: Scope,
  { orderId, subscriptionId }: { orderId: string; subscriptionId: string | null },
): Promise<Array<{ offerId: string | null; quantity: number; unitPrice: bigint }>> {
  return subscriptionId === null
    ? listOrderItems(db, scope, orderId)
    : listSubscriptionItems(db, scope, subscriptionId);
}
