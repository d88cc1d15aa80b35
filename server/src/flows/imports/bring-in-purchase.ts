/** What was bought there: orders of 0, paid at their time, with what they gave. Nothing of them is told, billed or posted. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type { KeyLine, PurchaseLine } from '../../domain/imports/lines.ts';
import { TOKEN_BYTES, toLinkToken } from '../../domain/link-token.ts';
import { orderNumberFrom, paymentNumber } from '../../domain/numbers.ts';
import type { CartOffer } from '../../resources/checkouts/carts.queries.ts';
import { insertBroughtKey, listItemsWithKeys } from '../../resources/imports/our-objects.queries.ts';
import {
  insertOrder,
  insertOrderItems,
  updateItemFulfilment,
} from '../../resources/orders/orders.queries.ts';
import { insertPayment } from '../../resources/payments/payments.queries.ts';
import { toShortForms } from '../pricing/order-rows.ts';
import { getOurs } from './bring-in-catalogue.ts';
import type { BringingIn, BroughtIn } from './bringing.ts';
import type { LookedBatch } from './look-at-lines.ts';

export interface ImportedSale {
  tx: Tx;
  orderId: string;
  paymentId: string;
  source: string;
  ref: string;
  type: 'one_time' | 'subscription_initial';
  userId: string;
  subscriptionId: string | null;
  /** With a subscription it is the order's number that both bear. */
  number: string;
  items: ReadonlyArray<{ offer: CartOffer; quantity: number }>;
  currency: string;
  country: string | null;
  /** What was paid there. */
  paid: { value: number; tax: number };
  createdAt: number;
  paidAt: number;
  period: { startMs: number; endMs: number } | null;
  billingDetails: object;
}

/** An order of 0 with its payment of 0, both PAID when they were. */
export async function writeImportedSale(ctx: Step, scope: Scope, sale: ImportedSale): Promise<void> {
  const { tx, type, userId, subscriptionId, number, currency, country, createdAt, paidAt } = sale;
  const { orderId, paymentId } = sale;
  const shared = {
    type,
    status: 'PAID' as const,
    value: 0n,
    tax: 0n,
    currency,
    country,
    userId,
    subscriptionId,
  };
  await insertOrder(tx, scope, {
    ...{ ...shared, id: orderId, number, lastPaymentId: paymentId, createdAt, paidAt },
    totalItems: sale.items.reduce((sum, { quantity }) => sum + quantity, 0),
    billingDetails: toJson(sale.billingDetails),
    imported: toJson(toImported(sale)),
  });
  await Promise.all([
    insertPayment(tx, scope, {
      ...{ ...shared, id: paymentId, orderId, orderNumber: number, number: paymentNumber(number, 0) },
      payToken: toLinkToken(scope.workspaceId, ctx.ids.randomBytes(TOKEN_BYTES)),
      ...{ createdAt, paidAt },
      paidElsewhere: BigInt(sale.paid.value),
      paidElsewhereTax: BigInt(sale.paid.tax),
      periodStart: sale.period?.startMs ?? null,
      periodEnd: sale.period?.endMs ?? null,
    }),
    insertOrderItems(tx, scope, toItems(ctx, sale, orderId)),
  ]);
}

export function toImported({
  source,
  ref,
  paid,
  currency,
  country,
}: Pick<ImportedSale, 'source' | 'ref' | 'paid' | 'currency' | 'country'>) {
  return { source, ref, value: paid.value, tax: paid.tax, currency, country };
}

function toItems(ctx: Step, { items, currency, createdAt }: ImportedSale, orderId: string) {
  return items.map(({ offer, quantity }, position) => ({
    id: ctx.ids.next(ctx.nowMs),
    ...{ orderId, position, quantity, currency, createdAt },
    ...{ offerId: offer.id, productId: offer.productId, variantId: offer.variantId },
    name: offer.name ?? offer.productName,
    internalId: offer.internalId,
    ...{ unitPrice: 0n, subtotal: 0n, discount: 0n, tax: 0n, total: 0n },
    ...{ inclusive: true, taxReason: 'outside_scope', taxRates: toJson([]) },
    ...toShortForms(offer),
    customFields: toJson({}),
    // Its keys are brought in behind it.
    fulfilment: offer.downloadFileId === null ? ('none' as const) : ('delivered' as const),
    downloadLimit: offer.downloadLimit,
    downloadDays: offer.downloadDays,
    withdrawal: offer.withdrawal,
  }));
}

/** The offers that lines of an order name, which were brought in before it. */
export function getOffers(
  bringing: Pick<BringingIn, 'batch'>,
  items: ReadonlyArray<{ offerRef: string; quantity: number }>,
) {
  return items.map(({ offerRef, quantity }) => {
    const offer = bringing.batch.known.offers.get(getOurs(bringing, 'offer', offerRef));
    assert(offer, 'an offer that was brought in stays');
    return { offer, quantity };
  });
}

export async function bringInPurchase(
  ctx: Step,
  scope: Scope,
  bringing: BringingIn<PurchaseLine>,
): Promise<BroughtIn> {
  const { tx, line, imported, batch } = bringing;
  const { ref, value, tax, currency, country = null, createdAt, paidAt } = line;
  const userId = getOurs(bringing, 'customer', line.customerRef);
  const orderId = ctx.ids.next(ctx.nowMs);
  await writeImportedSale(ctx, scope, {
    ...{ orderId, paymentId: ctx.ids.next(ctx.nowMs) },
    ...{ tx, ref, userId, currency, country, createdAt, paidAt },
    ...{ source: imported.source, type: 'one_time', subscriptionId: null, period: null },
    number: orderNumberFrom(ctx.ids.randomBytes(16)),
    items: getOffers(bringing, line.items),
    paid: { value, tax },
    billingDetails: batch.facts.usersById.get(userId)?.billingDetails ?? {},
  });
  return { objectId: orderId, objectVersion: 0 };
}

export async function bringInKey(ctx: Step, scope: Scope, bringing: BringingIn<KeyLine>): Promise<BroughtIn> {
  const { tx, line, imported, batch } = bringing;
  const { ref, key: text, state: status, limit = null, uses = null, purchaseRef } = line;
  const offerId = getOurs(bringing, 'offer', line.offerRef);
  const isSold = status !== 'available' && purchaseRef != null;
  const orderId = isSold ? getOurs(bringing, 'purchase', purchaseRef) : null;
  const items = orderId === null ? [] : await listItemsWithKeys(tx, scope, [orderId]);
  const orderItemId = items.find((item) => item.offerId === offerId)?.id ?? null;
  const id = ctx.ids.next(ctx.nowMs);
  const sold = batch.known.find('purchase', purchaseRef ?? '').inFile?.body;
  await insertBroughtKey(tx, scope, {
    ...{ id, offerId, text, orderId, orderItemId, status },
    createdAt: sold?.kind === 'purchase' ? sold.paidAt : ctx.nowMs,
    imported: toJson({ source: imported.source, ref, limit, uses }),
  });
  return { objectId: id, objectVersion: 0 };
}

/** An item that has all of its keys is delivered. */
export async function settleKeys(tx: Tx, scope: Scope, { looked, known }: LookedBatch): Promise<void> {
  const orderIds = looked.flatMap(({ line }) =>
    line?.kind === 'key' && line.purchaseRef != null
      ? (known.find('purchase', line.purchaseRef).brought?.objectId ?? [])
      : [],
  );
  const items = await listItemsWithKeys(tx, scope, [...new Set(orderIds)]);
  const whole = items.flatMap(({ id, keys, quantity }) => (Number(keys) === quantity ? [id] : []));
  if (whole.length > 0) await updateItemFulfilment(tx, scope, whole, 'delivered');
}
