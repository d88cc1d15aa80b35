/** How new stock is shared out among paid items that wait for it. */

/** A paid item that waits; `missing` is the number of keys it still needs. */
export interface WaitingItem {
  id: string;
  orderId: string;
  missing: number;
}

export interface StockPlan {
  /** Which key goes to which item. */
  deliveries: Array<{ keyId: string; orderId: string; orderItemId: string }>;
  /** Items that have all their keys then. */
  completed: string[];
}

/**
 * Gives keys to items in the order of both lists. The oldest item takes what there is although it may not
 * be enough for it: were it passed over, smaller items behind it could keep it waiting for ever.
 */
export function planStock(items: readonly WaitingItem[], keyIds: readonly string[]): StockPlan {
  const plan: StockPlan = { deliveries: [], completed: [] };
  let used = 0;
  for (const { id, orderId, missing } of items) {
    const taken = keyIds.slice(used, used + Math.max(missing, 0));
    used += taken.length;
    for (const keyId of taken) plan.deliveries.push({ keyId, orderId, orderItemId: id });
    if (taken.length < missing) break;
    plan.completed.push(id);
  }
  return plan;
}

/** Keys on the shelf that a list counts of a product at most. */
export const STOCK_MAX = 1000;
