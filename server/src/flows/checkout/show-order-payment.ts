/**
 * What the page of an order's own payment shows: that it is paid, that the bank waits for its buyer, or what there is to
 * pay. It never leads to the session, whose page shows what was bought to whoever holds its address.
 */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { toShownFailure } from '../../domain/payments/shown-decline.ts';
import { type Settings, toSettings } from '../../domain/settings.ts';
import { CAPTURED, type PaymentStatus } from '../../domain/states/payment.ts';
import { findOrder, listOrderItems } from '../../resources/orders/orders.queries.ts';
import {
  findPayment,
  findPendingCharge,
  type PaymentRow,
} from '../../resources/payments/payments.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { listOffered, listOfferedFor } from '../payments/choose-connection.ts';
import { showTransfer } from '../payments/show-transfer.ts';
import { quoteCart } from '../pricing/quote-cart.ts';
import { loadOrderedCart, type OrderedCart } from './ordered-cart.ts';
import { toPlacedFingerprint } from './put-right.ts';
import { toQuoteView } from './show-quote.ts';
import { showSeller } from './show-seller.ts';

/** The page of a payment stands in no frame. */
export const PAY_PAGE = { isFramed: false };

export async function showOrderPayment(
  ctx: Context,
  scope: Scope,
  { paymentId, language }: { paymentId: string; language: string | null },
) {
  // Before the payment: one that is settled in between is seen as paid, never as one to be paid again.
  const charge = await findPendingCharge(ctx.db, scope, paymentId);
  const payment = await findPayment(ctx.db, scope, paymentId);
  if (!payment) throw new Refusal('not_found');
  const waiting = payment.status === 'PENDING' ? charge : undefined;
  const store = await getStore(ctx.db, scope);
  const settings = toSettings(store.settings);
  const standing = toStatus(payment.status, waiting);
  // While the bank asks it can be paid another way, too.
  const canBePaid = standing === 'open' || standing === 'requires_action';
  const purchase = canBePaid ? await showPurchase(ctx, scope, { payment, settings }) : null;
  return {
    kind: 'order' as const,
    // What is sold no more cannot be paid.
    status: standing === 'open' && purchase === null ? ('unavailable' as const) : standing,
    ...toPayAction(waiting?.actionPath ?? null),
    purchase,
    transfer: waiting
      ? await showTransfer(ctx, scope, { charge: waiting, reference: payment.orderNumber, language })
      : null,
    seller: showSeller(settings, store.name),
    testMode: scope.testMode,
  };
}

function toStatus(status: PaymentStatus, waiting: { actionPath: string | null } | undefined) {
  if (CAPTURED.has(status)) return 'paid';
  if (waiting) return waiting.actionPath === null ? 'processing' : 'requires_action';
  // A correction stops the try that was under way, and leaves the payment PENDING.
  return status === 'PENDING' || status === 'FAILED' || status === 'UNPAID' ? 'open' : 'closed';
}

/** What there is to pay, at the order's own price; null where it is not for sale. */
async function showPurchase(
  ctx: Context,
  scope: Scope,
  { payment, settings }: { payment: PaymentRow; settings: Settings },
) {
  const { orderNumber } = payment;
  try {
    return {
      orderNumber,
      failure: findFailure(payment),
      ...(await showSums(ctx, scope, { payment, settings })),
    };
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

interface ShownSums {
  payment: Pick<PaymentRow, 'orderId' | 'currency' | 'value' | 'tax'>;
  settings: Settings;
}

/** By the cart as it was ordered, or as the rows stand. Throws what the cart is refused with. */
export async function showSums(ctx: Context, scope: Scope, { payment, settings }: ShownSums) {
  const { orderId } = payment;
  const ordered = await loadOrderedCart(ctx, scope, orderId);
  const quoted = ordered && (await quoteOrdered(ctx, scope, { ordered, orderId }));
  if (quoted && !ordered.isPutRight) return quoted;
  const placed = await readPlaced(ctx, scope, { payment, settings });
  // A subscription goes on at its own price, which the page tells in the currency of this payment.
  return { ...placed, renewal: quoted?.currency === placed.currency ? quoted.renewal : null };
}

async function quoteOrdered(
  ctx: Context,
  scope: Scope,
  { ordered: { cart, form, pricedAtMs }, orderId }: { ordered: OrderedCart; orderId: string },
) {
  const quote = await quoteCart(ctx, scope, { db: ctx.db, cart, form, exceptOrderId: orderId, pricedAtMs });
  const offered = await listOffered(ctx, scope, { cart, quote, country: form.countryCode, page: PAY_PAGE });
  const { currency, lines, discount, tax, total, dueNow, renewal, fingerprint } = toQuoteView(ctx, cart, {
    quote,
    form,
    language: null,
    offered,
  });
  return {
    methods: offered.methods,
    processorFields: offered.fields,
    items: lines.map(({ name, quantity, subtotal: amount }) => ({ name, quantity, amount })),
    currency,
    currencyDecimals: currencyDecimals(currency),
    ...{ discount, tax, total, dueNow, renewal, fingerprint },
  };
}

/** As its rows stand. Nobody knows what others may wait for, so that it is paid at once. */
async function readPlaced(ctx: Context, scope: Scope, { payment, settings }: ShownSums) {
  const { orderId, currency, value, tax } = payment;
  const order = await findOrder(ctx.db, scope, orderId);
  assert(order, 'a payment has its order');
  const { country, subscriptionId } = order;
  const offered = await listOfferedFor(ctx, scope, {
    settings,
    ...{ currency, country, canWait: false },
    fields: { amountMinor: value, keepsMethod: subscriptionId !== null, isScarce: true, isFramed: false },
  });
  const items = await listOrderItems(ctx.db, scope, orderId);
  const total = Number(value);
  return {
    methods: offered.methods,
    processorFields: offered.fields,
    items: items.map(({ name, quantity, subtotal, discount }) => {
      // What was put on shows in the line, what was taken off below.
      return { name, quantity, amount: Number(discount < 0n ? subtotal - discount : subtotal) };
    }),
    currency,
    currencyDecimals: currencyDecimals(currency),
    discount: Number(items.reduce((sum, { discount }) => (discount > 0n ? sum + discount : sum), 0n)),
    ...{ tax: Number(tax), total, dueNow: total, fingerprint: toPlacedFingerprint(payment) },
  };
}

/** Why the last try came to nothing. */
function findFailure({ charges }: PaymentRow): { reason: string; message: string } | null {
  // Written by our own queries, in the API's form.
  const last = charges.at(-1) as { failure?: { reason: string; message: string } | null } | undefined;
  return toShownFailure(last?.failure ?? null);
}

/** Where the buyer is asked to go. What the processor is to be asked about, its script may show in the page. */
export function toPayAction(actionPath: string | null): { actionUrl: string | null; isActionAsked: boolean } {
  return { actionUrl: actionPath, isActionAsked: actionPath?.startsWith('/pay/') ?? false };
}
