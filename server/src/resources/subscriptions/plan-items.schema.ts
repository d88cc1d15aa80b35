/** Items of a subscription, as the domain prices them and as they are stored. */
import { toJson } from '../../db/scope.ts';
import type { PlanItem, StoredRate } from '../../domain/billing/line.ts';
import type { SubscriptionItemRow } from './subscriptions.queries.ts';

export function toPlanItems(rows: readonly SubscriptionItemRow[]): PlanItem[] {
  return rows.map((row) => ({
    id: row.id,
    offerId: row.offerId,
    productId: row.productId,
    variantId: row.variantId,
    name: row.name,
    internalId: row.internalId,
    unitPrice: row.unitPrice,
    quantity: row.quantity,
    inclusive: row.inclusive,
    product: row.product,
    variant: row.variant,
    offer: row.offer,
    customFields: row.customFields,
    taxReason: row.taxReason,
    // The column holds what `toStoredRates` made.
    taxRates: row.taxRates as StoredRate[],
  }));
}

/** The row of an item. */
export function toItemRow(
  { id: _id, product, variant, offer, customFields, taxRates, ...item }: PlanItem,
  place: { id: string; subscriptionId: string; position: number; currency: string; createdAt: number },
) {
  return {
    ...item,
    ...place,
    product: product ? toJson(product) : null,
    variant: variant ? toJson(variant) : null,
    offer: offer ? toJson(offer) : null,
    customFields: toJson(customFields),
    taxRates: toJson(taxRates),
  };
}
