/** The receipt of a paid order: what was bought, its keys and downloads. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { toDocumentUrl } from '../../domain/invoicing/numbering.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import type { RedirectParameter, Settings } from '../../domain/settings.ts';
import { listReceiptOffers } from '../../resources/checkouts/checkouts.queries.ts';
import { findOrder, listOrderItems } from '../../resources/orders/orders.queries.ts';
import { findInitialPayment, findPayment } from '../../resources/payments/payments.queries.ts';
import { listRefundsOfOrder } from '../../resources/refunds/refunds.queries.ts';
import { getUser } from '../../resources/users/users.queries.ts';
import { findSubscriptionOf, loadAccess } from '../fulfilment/check-access.ts';
import type { Session } from './open-checkout.ts';

export interface Paid {
  orderId: string;
  /** That asks. */
  session: Pick<Session, 'id' | 'token'>;
  settings: Settings;
}

export async function showReceipt(ctx: Context, scope: Scope, { orderId, session, settings }: Paid) {
  const order = await findOrder(ctx.db, scope, orderId);
  assert(order, 'a paid order exists');
  // A renewal is a payment of the same order, and has a receipt of its own.
  const { id: paymentId } = await findInitialPayment(ctx.db, scope, orderId);
  const payment = await findPayment(ctx.db, scope, paymentId);
  assert(payment, 'a paid order has its payment');
  const user = await getUser(ctx.db, scope, order.userId);
  const items = await listOrderItems(ctx.db, scope, orderId);
  const offers = new Map(
    (await listReceiptOffers(ctx.db, scope, orderId)).map((offer) => [offer.itemId, offer]),
  );
  const subscription = await findSubscriptionOf(ctx, scope, order);
  // An address that was typed proves nothing: what is given away is shown to whoever claimed it, and mailed.
  const isClaimer = order.type !== 'claim_free' || order.sessionId === session.id;
  const isOpen =
    isClaimer && (await loadAccess(ctx, scope, { orderId, subscription, settings })).status === 'active';
  return {
    orderId: order.id,
    orderNumber: order.number,
    email: user.email ?? '',
    // Without a mail server the buyer's mail is kept: nothing is on its way to them.
    isMailed: ctx.mail !== null,
    paidAt: order.paidAt ?? order.createdAt,
    currency: order.currency,
    currencyDecimals: currencyDecimals(order.currency),
    total: Number(payment.value),
    tax: Number(payment.tax),
    /** Called off by the seller: what was bought is taken back. */
    isCancelled: order.status === 'CANCELLED',
    isRefunded: payment.status === 'REFUNDED',
    paymentNumber: payment.number,
    invoiceNumber: payment.invoiceNumber,
    invoiceUrl: payment.invoiceToken === null ? null : toDocumentUrl('', payment.invoiceToken),
    refunds: await listRefunds(ctx, scope, { orderId, paymentIds: [paymentId] }),
    paymentMethod: toMethod(payment.charges),
    items: items.map((item) => ({
      name: item.name,
      cover: toOwnPicture(offers.get(item.id)?.cover ?? null),
      variantName: (item.variant as { name: string } | null)?.name ?? null,
      quantity: item.quantity,
      total: Number(item.total),
      keys: isOpen ? item.keys.map(({ key }) => key) : [],
      awaitingStock: item.fulfilment === 'awaiting_stock',
      download: isOpen ? toDownload(item, offers.get(item.id), session.token) : null,
    })),
    subscription: subscription ? toRenewal(subscription) : null,
    redirectUrl:
      settings.redirectUrl === null
        ? null
        : toRedirect(settings.redirectUrl, settings, {
            'svc-order-id': [order.id],
            'svc-user-email': user.email === null ? [] : [user.email],
            'svc-product-internal-id': items.flatMap(({ product }) => listInternalIds(product)),
          }),
  };
}

/**
 * The path of a picture that was uploaded here. A buyer's page loads nothing from another origin, so a cover
 * that lies elsewhere is left out; the page draws a tile in its place.
 */
export function toOwnPicture(cover: string | null): string | null {
  return /\/files\/[0-9a-f-]{36}$/.exec(cover ?? '')?.[0] ?? null;
}

type ReceiptOffer = Awaited<ReturnType<typeof listReceiptOffers>>[number];

/**
 * The address leads through the session, since a link to the file itself ends after minutes and a receipt stays
 * open for longer.
 */
function toDownload(
  { id, fulfilment }: { id: string; fulfilment: string },
  offer: ReceiptOffer | undefined,
  token: string,
): { fileName: string; url: string; size: number } | null {
  if (fulfilment !== 'delivered' || !offer?.fileName || offer.sizeBytes === null) return null;
  const url = `/checkout-sessions/${token}/downloads/${id}`;
  return { fileName: offer.fileName, url, size: offer.sizeBytes };
}

/** How a subscription goes on, as it stands now. */
export function toRenewal(subscription: Row<'subscriptions'>) {
  return {
    id: subscription.number,
    status: subscription.status,
    trialEnd: subscription.trialEnd,
    currentIntervalEnd: subscription.currentIntervalEnd ?? subscription.createdAt,
    cancelAtIntervalEnd: subscription.cancelAtIntervalEnd,
  };
}

/** What was given back of the payments, each time with its credit note, oldest first. */
export async function listRefunds(
  ctx: Context,
  scope: Scope,
  { orderId, paymentIds }: { orderId: string; paymentIds: string[] },
) {
  const refunds = await listRefundsOfOrder(ctx.db, scope, orderId);
  return refunds
    .filter((refund) => paymentIds.includes(refund.paymentId) && refund.status === 'succeeded')
    .map(({ amount, settledAt, createdAt, creditNoteNumber, creditNoteToken }) => ({
      amount: Number(amount),
      refundedAt: settledAt ?? createdAt,
      creditNoteNumber,
      creditNoteUrl: creditNoteToken === null ? null : toDocumentUrl('', creditNoteToken),
    }));
}

/** The method of the charge that paid; its shape is the provider's, stored as it was answered. */
export function toMethod(charges: unknown[]): { brand: string | null; last4: string | null } | null {
  const paid = (
    charges as Array<{ status: string; paymentMethod: { brand: string | null; last4: string | null } | null }>
  )
    .filter((charge) => charge.status === 'succeeded')
    .at(-1);
  return paid?.paymentMethod ? { brand: paid.paymentMethod.brand, last4: paid.paymentMethod.last4 } : null;
}

/** The merchant's own parameters first, so that none of them stands in for one of ours. */
function toRedirect(
  redirectUrl: string,
  { redirectParameters, redirectFixedParameters }: Settings,
  values: Record<RedirectParameter, string[]>,
): string {
  const url = new URL(redirectUrl);
  for (const [name, value] of Object.entries(redirectFixedParameters)) url.searchParams.set(name, value);
  for (const name of redirectParameters) {
    url.searchParams.delete(name);
    for (const value of new Set(values[name])) url.searchParams.append(name, value);
  }
  return url.href;
}

/** Of a product as it was copied into the item. */
function listInternalIds(product: unknown): string[] {
  const internalId = (product as { internalId: string | null } | null)?.internalId;
  return internalId ? [internalId] : [];
}
