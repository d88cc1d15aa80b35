/** What is the buyer's own; what is somebody else's is not there. */
import type { Db } from '../db/database.ts';
import type { Row } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { parseNumber } from '../domain/numbers.ts';
import { findItemOfUser, findOrderByNumber, type OrderRow } from '../resources/orders/orders.queries.ts';
import { findSubscriptionId, getSubscription } from '../resources/subscriptions/subscriptions.queries.ts';

interface Asked {
  userId: string;
  /** As it stands in the path. */
  text: string;
}

/** By its number. Throws not_found. */
export async function getOwnOrder(db: Db, scope: Scope, { userId, text }: Asked): Promise<OrderRow> {
  const number = parseNumber(text);
  const order = number === null ? undefined : await findOrderByNumber(db, scope, number);
  if (order?.userId !== userId) throw new Refusal('not_found');
  return order;
}

/** By its number. Throws not_found. */
export async function getOwnSubscription(
  db: Db,
  scope: Scope,
  { userId, text }: Asked,
): Promise<Row<'subscriptions'>> {
  const number = parseNumber(text);
  const id = number === null ? undefined : await findSubscriptionId(db, scope, number);
  const subscription = id === undefined ? undefined : await getSubscription(db, scope, id);
  if (subscription?.userId !== userId) throw new Refusal('not_found');
  return subscription;
}

/** The order of a bought item. Throws not_found. */
export async function getOwnItem(
  db: Db,
  scope: Scope,
  { userId, text: itemId }: Asked,
): Promise<{ orderId: string }> {
  const item = await findItemOfUser(db, scope, { userId, itemId });
  if (!item) throw new Refusal('not_found');
  return item;
}
