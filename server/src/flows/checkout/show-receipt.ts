/** The receipt of a paid order: what was bought, its keys and downloads. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { toDocumentUrl } from '../../domain/invoicing/numbering.ts';
import { nameOf, toItemNote } from '../../domain/item-note.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { toOwnPicture } from '../../domain/own-picture.ts';
import { toShownMethod } from '../../domain/payments/method-name.ts';
import { toBreakdown } from '../../domain/pricing/breakdown.ts';
import type { Settings } from '../../domain/settings.ts';
import type { PaymentMethodDetails } from '../../providers/payment/method-details.ts';
import { listReceiptOffers } from '../../resources/checkouts/checkouts.queries.ts';
import { findOrder, listOrderItems } from '../../resources/orders/orders.queries.ts';
import { toSoldSums } from '../../resources/orders/orders.schema.ts';
import { findInitialPayment, findPayment } from '../../resources/payments/payments.queries.ts';
import { listRefundsOfOrder } from '../../resources/refunds/refunds.queries.ts';
import { getUser } from '../../resources/users/users.queries.ts';
import { canDownload, findSubscriptionOf, loadAccess } from '../fulfilment/check-access.ts';
import type { Session } from './open-checkout.ts';
import { toRedirect } from './redirect-address.ts';

export interface Paid {
  orderId: string;
  /** That asks. */
  session: Pick<Session, 'id' | 'token' | 'redirectUrl'>;
  settings: Settings;
  redirectSecret: string;
  /** Where its buyer signs in. */
  portalPath: string;
}

export async function showReceipt(ctx: Context, scope: Scope, paid: Paid) {
  const { orderId, session, settings } = paid;
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
  const isLapsed = isReceiptLapsed({ order, settings, nowMs: ctx.nowMs });
  const isOpen =
    isClaimer &&
    !isLapsed &&
    (await loadAccess(ctx, scope, { orderId, subscription, settings })).status === 'active';
  return {
    orderId: order.id,
    orderNumber: order.number,
    reference: order.reference,
    email: user.email ?? '',
    // Without a mail server the buyer's mail is kept: nothing is on its way to them.
    isMailed: ctx.mail !== null,
    paidAt: order.paidAt ?? order.createdAt,
    currency: order.currency,
    currencyDecimals: currencyDecimals(order.currency),
    total: Number(payment.value),
    tax: Number(payment.tax),
    ...toBreakdown(items.map(toSoldSums)),
    /** Called off by the seller: what was bought is taken back. */
    isCancelled: order.status === 'CANCELLED',
    isRefunded: payment.status === 'REFUNDED',
    paymentNumber: payment.number,
    invoiceNumber: payment.invoiceNumber,
    invoiceUrl: payment.invoiceToken === null ? null : toDocumentUrl('', payment.invoiceToken),
    refunds: await listRefunds(ctx, scope, { orderId, paymentIds: [paymentId] }),
    paymentMethod: toMethod(payment.charges),
    // Where keys and files are for whoever can prove their address; null while they are shown here.
    signInUrl: isLapsed && items.some(isDelivered) ? paid.portalPath : null,
    items: items.map((item) => ({
      name: item.name,
      cover: toOwnPicture(offers.get(item.id)?.cover ?? null),
      note: toItemNote({
        name: item.name,
        productName: nameOf(item.product),
        variantName: nameOf(item.variant),
      }),
      quantity: item.quantity,
      subtotal: Number(item.subtotal),
      keys: isOpen ? item.keys.map(({ key }) => key) : [],
      awaitingStock: item.fulfilment === 'awaiting_stock',
      ...toDownloads(isOpen ? toDownload(item, offers.get(item.id), session.token) : null, {
        isLeft: canDownload(item, { paidAt: order.paidAt, nowMs: ctx.nowMs }),
      }),
    })),
    subscription: subscription ? toRenewal(subscription) : null,
    redirectUrl: toRedirect(session.redirectUrl ?? settings.redirectUrl, settings, {
      aliases: ctx.config.nameAliases,
      values: {
        'svc-order-id': [order.id],
        'svc-user-email': user.email === null ? [] : [user.email],
        'svc-product-internal-id': items.flatMap(({ product }) => listInternalIds(product)),
      },
      signed: {
        'svc-order-number': order.number,
        'svc-reference': order.reference,
        // Whoever checks it has no clock of ours.
        'svc-timestamp': String(Math.floor(ctx.realNowMs() / 1000)),
      },
      secret: paid.redirectSecret,
    }),
  };
}

const DAY_MS = 24 * 3_600_000;

/** An address may be passed on, and lies in histories and logs: it shows what was bought for some weeks alone. */
export function isReceiptLapsed({
  order,
  settings,
  nowMs,
}: {
  order: { paidAt: number | null };
  settings: Settings;
  nowMs: number;
}): boolean {
  const { receiptDays } = settings.checkout;
  return order.paidAt !== null && order.paidAt + receiptDays * DAY_MS <= nowMs;
}

const isDelivered = ({ keys, fulfilment }: { keys: unknown[]; fulfilment: string }): boolean =>
  keys.length > 0 || fulfilment === 'delivered';

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

/** Of a file that was downloaded as often as it may be, or whose days are over, the name is left. */
function toDownloads(download: ReturnType<typeof toDownload>, { isLeft }: { isLeft: boolean }) {
  return { download: isLeft ? download : null, downloadOver: isLeft ? null : (download?.fileName ?? null) };
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
function toMethod(charges: unknown[]) {
  const paid = (charges as Array<{ status: string; paymentMethod: PaidMethod | null }>)
    .filter((charge) => charge.status === 'succeeded')
    .at(-1);
  return paid?.paymentMethod ? toShownMethod(paid.paymentMethod) : null;
}

type PaidMethod = Pick<PaymentMethodDetails, 'type' | 'brand' | 'last4'>;

/** Of a product as it was copied into the item. */
function listInternalIds(product: unknown): string[] {
  const internalId = (product as { internalId: string | null } | null)?.internalId;
  return internalId ? [internalId] : [];
}
