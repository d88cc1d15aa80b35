/**
 * Whoever has the link of a declined order's payment pays it by a card of their own: as it was ordered, at its own
 * price. What it held is taken again; where that is gone nothing is charged.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { toSettings } from '../../domain/settings.ts';
import { isUnpaid, type OrderStatus, toInStep } from '../../domain/states/order.ts';
import type { ChargeMethod } from '../../providers/payment/payment-provider.ts';
import { lockOpener } from '../../resources/checkouts/checkouts.queries.ts';
import { listConsents } from '../../resources/consumer/consents.queries.ts';
import { findOrder, lockOrder, updateOrder } from '../../resources/orders/orders.queries.ts';
import {
  findInitialPayment,
  findPendingChargeOfOrder,
  updatePayment,
} from '../../resources/payments/payments.queries.ts';
import { lockUser } from '../../resources/users/users.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { holdStock, releaseHolds } from '../fulfilment/hold-stock.ts';
import { takeTry } from '../limits/limit-tries.ts';
import { cancelPendingCharge } from '../payments/cancel-charge.ts';
import { chargePayment } from '../payments/charge-payment.ts';
import { type Connection, chooseConnection, listOffered } from '../payments/choose-connection.ts';
import { openCharge } from '../payments/open-charge.ts';
import { readToken } from '../payments/read-token.ts';
import { settleWithoutCharge } from '../payments/settle-payment.ts';
import { quoteCart } from '../pricing/quote-cart.ts';
import { admitOrder, toOpener } from './admit-order.ts';
import { loadOrderedCart, type OrderedCart } from './ordered-cart.ts';
import { HOLDS_MS } from './place-order.ts';
import { toPlacedFingerprint } from './put-right.ts';
import { PAY_PAGE, showSums } from './show-order-payment.ts';
import { toQuoteView } from './show-quote.ts';
import { isTrialSpent } from './spent-trial.ts';
import { submitCheckout } from './submit-checkout.ts';

export interface OrderPaying {
  orderId: string;
  method: ChargeMethod;
  /** The price that the page showed; null = the order's own. */
  shownFingerprint: string | null;
  ipAddress: string;
}

/**
 * Does nothing for an order that is paid, closed or being decided on: the page shows how it stands. A charge that waits
 * for its buyer is stopped first, as on the checkout: they try another way.
 */
export async function payOrder(ctx: Context, scope: Scope, paying: OrderPaying): Promise<void> {
  const { orderId, method, shownFingerprint, ipAddress } = paying;
  await cancelPendingCharge(ctx, scope, orderId);
  const order = await findOrder(ctx.db, scope, orderId);
  if (!order || !isUnpaid(order) || (await findPendingChargeOfOrder(ctx.db, scope, orderId))) return;
  const ordered = await loadOrderedCart(ctx, scope, orderId);
  if (!ordered || ordered.isPutRight) return payPlaced(ctx, scope, { paying, order });
  // What was agreed to is of the order, and this page has no boxes.
  const ticks = await listConsents(ctx.db, scope, orderId);
  const submit = {
    ...ordered,
    ...{ isNewSession: false, byStranger: true, method, shownFingerprint, ipAddress, ticks },
    isOnPayPage: true,
  };
  await submitCheckout(ctx, scope, submit).catch((error: unknown) => explain(ctx, scope, { error, ordered }));
}

/** The price that the buyer is asked to agree to goes with the refusal. */
async function explain(
  ctx: Context,
  scope: Scope,
  { error, ordered }: { error: unknown; ordered: OrderedCart },
): Promise<never> {
  if (!(error instanceof Refusal) || error.code !== 'price_changed') throw error;
  const { form, session, pricedAtMs } = ordered;
  const cart = isTrialSpent(error) ? { ...ordered.cart, trial: null } : ordered.cart;
  const exceptOrderId = session.orderId;
  const quote = await quoteCart(ctx, scope, { db: ctx.db, cart, form, exceptOrderId, pricedAtMs });
  const offered = await listOffered(ctx, scope, { cart, quote, country: form.countryCode, page: PAY_PAGE });
  throw new Refusal('price_changed', {
    message: error.message,
    facts: [{ quote: toQuoteView(ctx, cart, { quote, form, language: session.language, offered }) }],
    cause: error,
  });
}

/** An order of the API's, which no checkout has made, or one that was put right: its rows stay as they are. */
async function payPlaced(
  ctx: Context,
  scope: Scope,
  { paying, order }: { paying: OrderPaying; order: Pick<Row<'orders'>, 'currency' | 'country'> },
): Promise<void> {
  const { orderId, method } = paying;
  const { currency, country } = order;
  const connection = await chooseConnection(ctx, scope, { method: method.kind, currency, country });
  if (!connection) throw new Refusal('processor_not_configured');
  await readToken(connection.provider, method);
  const charge = await reopen(ctx, scope, { paying, connection }).catch((error: unknown) =>
    explainPlaced(ctx, scope, { error, orderId }),
  );
  if (!charge) return;
  const { provider } = connection;
  const look = { kind: 'watch_order' as const, refId: orderId };
  const asked = { ...charge, isOnPayPage: true };
  await chargePayment(ctx, scope, { provider, charge: asked, look, method, offSession: false });
}

async function explainPlaced(
  ctx: Context,
  scope: Scope,
  { error, orderId }: { error: unknown; orderId: string },
): Promise<never> {
  if (!(error instanceof Refusal) || error.code !== 'price_changed') throw error;
  const payment = await findInitialPayment(ctx.db, scope, orderId);
  const settings = toSettings((await getStore(ctx.db, scope)).settings);
  const quote = await showSums(ctx, scope, { payment, settings });
  throw new Refusal('price_changed', { message: error.message, facts: [{ quote }], cause: error });
}

/** Throws price_changed where another sum was shown. */
async function reopen(
  ctx: Context,
  scope: Scope,
  {
    paying: { orderId, shownFingerprint, ipAddress },
    connection,
  }: { paying: OrderPaying; connection: Connection },
) {
  const openedBy = toOpener(ctx, scope, ipAddress);
  return inTransaction(ctx.db, async (tx) => {
    if (openedBy !== null) await lockOpener(tx, openedBy);
    const order = await lockOrder(tx, scope, orderId);
    // Somebody else pays it in the meantime.
    if (!order || !isUnpaid(order) || (await findPendingChargeOfOrder(tx, scope, orderId))) return null;
    const payment = await findInitialPayment(tx, scope, orderId);
    if (shownFingerprint !== null && shownFingerprint !== toPlacedFingerprint(payment))
      throw new Refusal('price_changed');
    await admitPayer(ctx, scope, { tx, order, paymentId: payment.id, openedBy, ipAddress });
    const { userId, discountId, holds, version } = order;
    // A decline has given it back; a try that the merchant has stopped has not.
    await releaseHolds(tx, scope, { orderId, holds, withRedemption: true });
    await holdStock(ctx, scope, { tx, orderId, userId, discountId, hasStock: true });
    await updateOrder(tx, scope, {
      id: orderId,
      // Rows hold only what the state tables let in. One that the merchant has put right waits for a try already.
      status: toInStep(order.status as OrderStatus),
      holds: 'held',
      holdsUntil: ctx.nowMs + HOLDS_MS,
      // Whoever has the link is a stranger, though the merchant has placed it: a decline counts, and what it holds.
      openedBy,
      version: version + 1,
    });
    await updatePayment(tx, scope, { id: payment.id, status: 'PENDING' });
    const { id: paymentId, type: paymentType, value: amountMinor, currency } = payment;
    if (amountMinor === 0n) {
      await settleWithoutCharge(ctx, scope, { tx, paymentId });
      return null;
    }
    const chargeId = await openCharge(ctx, scope, {
      tx,
      charge: {
        payment: { orderId, paymentId, paymentType },
        amountMinor,
        currency,
        processor: connection.provider.name,
        connectionId: connection.id,
        offSession: false,
        ipAddress,
        methodId: null,
      },
    });
    return { paymentId, chargeId, amountMinor, currency, userId };
  });
}

interface AdmittingPayer {
  tx: Tx;
  order: Row<'orders'>;
  paymentId: string;
  /** Locked; null = nobody is limited. */
  openedBy: string | null;
  ipAddress: string;
}

/** Throws rate_limited, too_many_declines, too_many_open_orders. */
async function admitPayer(
  ctx: Step,
  scope: Scope,
  { tx, order, paymentId, openedBy, ipAddress }: AdmittingPayer,
): Promise<void> {
  if (openedBy === null) return;
  const { id: exceptOrderId, userId } = order;
  const { email = null } = (await lockUser(tx, scope, userId)) ?? {};
  const asked = { openedBy, ipAddress, sessionId: exceptOrderId, userId, email: email ?? '', exceptOrderId };
  await admitOrder(scope, { tx, ...asked });
  await takeTry(ctx, scope, { tx, paymentId, ipAddress, email });
}
