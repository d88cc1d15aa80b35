/** Takes back what an order gave: its keys show no longer, its downloads open no longer, and no inventory lists it. */
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { revokeKeys } from '../../resources/checkouts/holds.queries.ts';
import { listItemsToFulfil, updateItemFulfilment } from '../../resources/orders/orders.queries.ts';

/**
 * Call it with the order locked. A key that was shown goes to nobody else; an item that still waits for stock
 * waits no longer.
 */
export async function revokeEntitlements(tx: Tx, scope: Scope, orderId: string): Promise<void> {
  await revokeKeys(tx, scope, orderId);
  const items = await listItemsToFulfil(tx, scope, orderId);
  // An item with nothing to hand over was the buyer's all the same; one that waits was never paid.
  const handed = items.filter(({ fulfilment }) => fulfilment !== 'waiting' && fulfilment !== 'revoked');
  if (handed.length > 0) {
    await updateItemFulfilment(
      tx,
      scope,
      handed.map(({ id }) => id),
      'revoked',
    );
  }
}

/** The same of some of an order's items: what it gave beside them stays. */
export async function revokeItems(
  tx: Tx,
  scope: Scope,
  { orderId, itemIds }: { orderId: string; itemIds: readonly string[] },
): Promise<void> {
  await revokeKeys(tx, scope, orderId, itemIds);
  await updateItemFulfilment(tx, scope, [...itemIds], 'revoked');
}
