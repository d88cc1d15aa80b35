/** The sale that a mail is about: the event's own snapshot, with the keys that only the buyer is told whole. */
import type { Context, Step } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { nameOf, toItemNote } from '../../domain/item-note.ts';
import type {
  MailItem,
  MailRefund,
  MailSale,
  MailSubscription,
  NextPayment,
} from '../../domain/mails/sale.ts';
import { toBreakdown } from '../../domain/pricing/breakdown.ts';
import { listConsents } from '../../resources/consumer/consents.queries.ts';
import { isOfSubscription } from '../../resources/events/event-types.ts';
import type { WholeMail } from '../../resources/mails/mails.queries.ts';
import { findOrder, listOrderItems } from '../../resources/orders/orders.queries.ts';
import { toPayUrl } from '../../resources/payments/payments.schema.ts';
import { loadSale, type Sale } from '../../resources/sales/sale.view.ts';
import { findSubscription, findSubscriptionId } from '../../resources/subscriptions/subscriptions.queries.ts';
import { previewUpcomingPayment } from '../pricing/preview-upcoming-payment.ts';
import { toProvingUrl } from './proof-link.ts';

/** What is read of an event's `data`, or of the sale as it stands; a refund's event holds the refund, too. */
type Snapshot = Pick<Sale, 'order' | 'payment' | 'subscription'> & {
  items: Array<
    Pick<
      Sale['items'][number],
      | 'id'
      | 'name'
      | 'quantity'
      | 'subtotal'
      | 'discount'
      | 'total'
      | 'inclusive'
      | 'taxRates'
      | 'product'
      | 'variant'
      | 'fulfilment'
    > & {
      taxReason?: string;
    }
  >;
  refund?: { amount: number; creditNoteNumber: string | null; creditNoteUrl: string | null };
};

/** Mails that name the day of the next payment, and so what it takes. */
const TELLS_NEXT: ReadonlySet<string> = new Set(['trial_started', 'subscription_changed']);

export async function loadMailSale(ctx: Context, scope: Scope, mail: WholeMail): Promise<MailSale> {
  assert(mail.orderId, 'a mail about a sale names its order');
  const { atMs, data } = await loadSnapshot(ctx, scope, { mail, orderId: mail.orderId });
  const { payment } = data;
  const isInitial = payment.number === payment.orderNumber;
  const keys = isInitial ? await loadKeys(ctx, scope, mail.orderId) : new Map<string, string[]>();
  // The keys that are new, where only those are told of.
  const { itemIds } = mail.params as { itemIds?: string[] };
  const items = itemIds ? data.items.filter(({ id }) => itemIds.includes(id)) : data.items;
  return {
    orderNumber: payment.orderNumber,
    paymentNumber: payment.number,
    paymentType: payment.type,
    atMs,
    period: toPeriod(mail),
    currency: payment.currency,
    totalMinor: payment.value,
    taxMinor: payment.tax,
    items: items.map((item) => toMailItem(item, keys.get(item.id) ?? [])),
    breakdown: toBreakdown(items),
    method: toMethod(payment),
    invoiceNumber: payment.invoiceNumber,
    invoiceUrl: payment.invoiceUrl,
    purchaseUrl: isInitial ? toPurchaseUrl(ctx, mail) : null,
    payUrl: await findPayUrl(ctx, { mail, payment }),
    subscription: data.subscription ? toMailSubscription(data.subscription) : null,
    nextPayment: TELLS_NEXT.has(mail.kind) ? await loadNextPayment(ctx, scope, data.subscription) : null,
    refund: data.refund ? toMailRefund(data.refund) : null,
    declineReason: payment.charges.at(-1)?.failure?.reason ?? null,
    consents: isInitial && mail.consentedAt !== null ? await listAgreed(ctx, scope, mail.orderId) : [],
    retryAtMs: mail.retryAt !== null && mail.retryAt > atMs ? mail.retryAt : null,
    payableUntilMs: mail.payableUntil,
  };
}

/** A period's payment that failed can be paid by the stored card, too, since this mail is its owner's. */
async function findPayUrl(
  ctx: Context,
  { mail, payment }: { mail: WholeMail; payment: Sale['payment'] },
): Promise<string | null> {
  const { payToken } = mail;
  const payUrl = toPayUrl(ctx.config.publicUrl, { ...payment, payToken });
  if (payUrl === null || payToken === null || payment.type !== 'subscription_interval') return payUrl;
  return toProvingUrl(ctx, { ...mail, payToken });
}

function toPeriod({ periodStart, periodEnd }: WholeMail): MailSale['period'] {
  return periodStart === null || periodEnd === null ? null : { startMs: periodStart, endMs: periodEnd };
}

async function loadSnapshot(
  ctx: Context,
  scope: Scope,
  { mail, orderId }: { mail: WholeMail; orderId: string },
): Promise<{ atMs: number; data: Snapshot }> {
  if (mail.eventBody !== null) {
    // Written by `recordEvents` in this form.
    const { type, createdAt, data } = JSON.parse(mail.eventBody) as {
      type: string;
      createdAt: number;
      data: Snapshot;
    };
    // A subscription's own items bear no sums: their mails list them by name.
    return { atMs: createdAt, data: isOfSubscription(type) ? { ...data, items: [] } : data };
  }
  const order = await findOrder(ctx.db, scope, orderId);
  const paymentId = mail.paymentId ?? order?.lastPaymentId;
  assert(order && paymentId, 'a mail is about an order with a payment');
  const sale = await loadSale(ctx.db, scope, { orderId, paymentId, publicUrl: ctx.config.publicUrl });
  return { atMs: order.paidAt ?? order.createdAt, data: sale };
}

async function listAgreed(ctx: Context, scope: Scope, orderId: string): Promise<string[]> {
  return (await listConsents(ctx.db, scope, orderId)).map(({ text }) => text);
}

async function loadKeys(ctx: Context, scope: Scope, orderId: string): Promise<Map<string, string[]>> {
  const items = await listOrderItems(ctx.db, scope, orderId);
  return new Map(items.map(({ id, keys }) => [id, keys.map(({ key }) => key)]));
}

function toMailItem(item: Snapshot['items'][number], keys: string[]): MailItem {
  return {
    id: item.id,
    name: item.name,
    note: toItemNote({
      name: item.name,
      productName: nameOf(item.product),
      variantName: nameOf(item.variant),
    }),
    quantity: item.quantity,
    subtotalMinor: item.subtotal,
    totalMinor: item.total,
    taxReason: item.taxReason ?? null,
    keys,
    awaitsStock: item.fulfilment === 'awaiting_stock' && keys.length < item.quantity,
  };
}

/** The method of the charge that paid. */
function toMethod({ charges }: Sale['payment']): MailSale['method'] {
  const paid = charges.filter(({ status }) => status === 'succeeded').at(-1);
  if (!paid?.paymentMethod) return null;
  const { type, brand, last4 } = paid.paymentMethod;
  return { type, brand, last4 };
}

/** The page of the session, on which keys and downloads stay. */
function toPurchaseUrl(ctx: Step, { sessionToken, elementId, offerIds }: WholeMail): string | null {
  if (sessionToken === null) return null;
  const [offerId] = offerIds ?? [];
  if (elementId === null && offerId === undefined) return null;
  const base = elementId === null ? `checkout/${offerId}` : `checkout-element/${elementId}`;
  return `${ctx.config.publicUrl}/${base}/checkout/${sessionToken}`;
}

function toMailSubscription(subscription: NonNullable<Snapshot['subscription']>): MailSubscription {
  return {
    number: subscription.id,
    status: subscription.status,
    trialEndMs: subscription.trialEnd,
    intervalEndMs: subscription.currentIntervalEnd,
    endedAtMs: subscription.endedAt,
    items: subscription.items.map(({ name, quantity, product, variant }) => ({
      ...{ name, quantity },
      note: toItemNote({ name, productName: nameOf(product), variantName: nameOf(variant) }),
    })),
  };
}

/** By the very code that will make it; null when none comes on the day that the mail names any more. */
async function loadNextPayment(
  ctx: Context,
  scope: Scope,
  told: Snapshot['subscription'],
): Promise<NextPayment | null> {
  const id = told ? await findSubscriptionId(ctx.db, scope, told.id) : undefined;
  const subscription = id === undefined ? undefined : await findSubscription(ctx.db, scope, id);
  if (!told || !subscription) return null;
  const upcoming = await previewUpcomingPayment(ctx, scope, { db: ctx.db, subscription });
  if (upcoming?.dateMs !== told.currentIntervalEnd) return null;
  const { valueMinor, taxMinor } = upcoming.payment;
  return { amountMinor: Number(valueMinor), taxMinor: Number(taxMinor) };
}

function toMailRefund(refund: NonNullable<Snapshot['refund']>): MailRefund {
  const { amount: amountMinor, creditNoteNumber, creditNoteUrl } = refund;
  return { amountMinor, creditNoteNumber, creditNoteUrl };
}
