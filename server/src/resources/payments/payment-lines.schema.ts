/** Lines of a subscription's payments: as the domain computes with them, and as items in the API. */
import type { Static } from 'typebox';
import type { BillingLine, StoredRate } from '../../domain/billing/line.ts';
import { type Item, toItem } from '../orders/orders.schema.ts';
import type { PaymentLineRow } from './payment-lines.queries.ts';

export function toBillingLines(rows: readonly PaymentLineRow[]): BillingLine[] {
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    subscriptionItemId: row.subscriptionItemId,
    offerId: row.offerId,
    productId: row.productId,
    variantId: row.variantId,
    name: row.name,
    description: row.description,
    internalId: row.internalId,
    unitPrice: row.unitPrice,
    quantity: row.quantity,
    currency: row.currency,
    subtotal: row.subtotal,
    discount: row.discount,
    tax: row.tax,
    total: row.total,
    inclusive: row.inclusive,
    taxReason: row.taxReason,
    // The column holds what `toStoredRates` made.
    taxRates: row.taxRates as StoredRate[],
    product: row.product,
    variant: row.variant,
    offer: row.offer,
    customFields: row.customFields,
    periodStart: row.periodStart,
    periodEnd: row.periodEnd,
    sourceLineId: row.sourceLineId,
    createdAt: row.createdAt,
  }));
}

/** A line in the form of an order's item, as events and invoices show it. */
export function toLineItem(row: PaymentLineRow): Static<typeof Item> {
  const delivery = {
    ...{ downloadLimit: null, downloadDays: null, downloads: 0, downloadedBy: null, keys: [] },
    ...{ withdrawal: null, deliveryBeganAt: null },
  };
  return toItem(
    { ...row, ...delivery, orderId: '', limitHeld: false, fulfilment: 'none' },
    { withKeys: false },
  );
}
