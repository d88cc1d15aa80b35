/** What an open checkout holds: keys, places of a limited offer, a redemption of a discount. */
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

/** Takes `quantity` places of a limited offer; false when fewer are left. Offers without a limit hold nothing. */
export async function holdOfferPlaces(
  tx: Tx,
  scope: Scope,
  hold: { offerId: string; quantity: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('offers')
    .set((eb) => ({ heldCount: eb('heldCount', '+', hold.quantity) }))
    .where(inScope(scope))
    .where('id', '=', hold.offerId)
    .where((eb) =>
      eb.or([
        eb('salesLimit', 'is', null),
        eb('salesLimit', '>=', sql<number>`held_count + sold_count + ${hold.quantity}`),
      ]),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function releaseOfferPlaces(
  tx: Tx,
  scope: Scope,
  hold: { offerId: string; quantity: number },
): Promise<void> {
  await tx
    .updateTable('offers')
    .set((eb) => ({ heldCount: eb('heldCount', '-', hold.quantity) }))
    .where(inScope(scope))
    .where('id', '=', hold.offerId)
    .execute();
}

const offerSale = keepQuery(
  (db, { offerId, sold, held, ...scope }: Scope & { offerId: string; sold: number; held: number }) =>
    db
      .updateTable('offers')
      .set((eb) => ({ soldCount: eb('soldCount', '+', sold), heldCount: eb('heldCount', '-', held) }))
      .where(inScope(scope))
      .where('id', '=', offerId),
);

/** Counts a sale; what was held becomes sold. */
export async function countOfferSale(
  tx: Tx,
  scope: Scope,
  { offerId, quantity, wasHeld }: { offerId: string; quantity: number; wasHeld: boolean },
): Promise<void> {
  await offerSale(tx, { ...scope, offerId, sold: quantity, held: wasHeld ? quantity : 0 });
}

/**
 * Reserves the oldest free keys for an item; returns how many there were. Rows that others hold are passed over.
 * The ids are read as one array, since `in (select … limit … skip locked)` may be run again for every row of the
 * offer, each time with other keys: one buyer would get the whole stock.
 */
export async function reserveKeys(
  tx: Tx,
  scope: Scope,
  item: { offerId: string; quantity: number; orderId: string; orderItemId: string },
): Promise<number> {
  const result = await sql`
    update offer_keys set status = 'reserved', order_id = ${item.orderId}, order_item_id = ${item.orderItemId}
    where workspace_id = ${scope.workspaceId} and test_mode = ${scope.testMode} and id = any(array(
      select id from offer_keys
      where workspace_id = ${scope.workspaceId} and test_mode = ${scope.testMode}
        and offer_id = ${item.offerId} and status = 'available'
      order by id limit ${item.quantity} for update skip locked))`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** What is reserved for an order goes back on the shelf. */
export async function releaseKeys(tx: Tx, scope: Scope, orderId: string): Promise<void> {
  await tx
    .updateTable('offerKeys')
    .set({ status: 'available', orderId: null, orderItemId: null })
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .where('status', '=', 'reserved')
    .execute();
}

/** Reserved keys of an order become sold; returns how many each item got. */
export async function sellReservedKeys(
  tx: Tx,
  scope: Scope,
  { orderId, soldAt }: { orderId: string; soldAt: number },
): Promise<Map<string, number>> {
  const rows = await tx
    .updateTable('offerKeys')
    .set({ status: 'sold', soldAt })
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .where('status', '=', 'reserved')
    .returning('orderItemId')
    .execute();
  const sold = new Map<string, number>();
  for (const { orderItemId } of rows)
    if (orderItemId) sold.set(orderItemId, (sold.get(orderItemId) ?? 0) + 1);
  return sold;
}

const hasUsesLeft = sql<boolean>`(purchase_limit is null or purchase_limit > held_count + used_count)`;

export interface NewRedemption {
  id: string;
  discountId: string;
  orderId: string;
  userId: string;
  createdAt: number;
  /** Of a running subscription: used at once. Else it is held until the order is paid. */
  putOn: boolean;
}

/** Takes one redemption of a discount under the lock of its row, unless one of its limits is reached. */
export async function takeRedemption(
  tx: Tx,
  scope: Scope,
  hold: NewRedemption,
): Promise<'taken' | 'exhausted' | 'user_limit'> {
  const discount = await tx
    .updateTable('discounts')
    .set((eb) =>
      hold.putOn ? { usedCount: eb('usedCount', '+', 1) } : { heldCount: eb('heldCount', '+', 1) },
    )
    .where(inScope(scope))
    .where('id', '=', hold.discountId)
    .where(hasUsesLeft)
    .returning('limitPerUser')
    .executeTakeFirst();
  if (!discount) return 'exhausted';
  // The discount's row is locked now: two purchases of one buyer count one after the other.
  if (discount.limitPerUser !== null) {
    const { count } = await tx
      .selectFrom('discountRedemptions')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(inScope(scope))
      .where('discountId', '=', hold.discountId)
      .where('userId', '=', hold.userId)
      .where('status', '<>', 'released')
      .executeTakeFirstOrThrow();
    if (count >= discount.limitPerUser) return 'user_limit';
  }
  await tx
    .insertInto('discountRedemptions')
    .values({ ...scopeColumns(scope), ...hold, status: hold.putOn ? 'used' : 'held' })
    .execute();
  return 'taken';
}

/**
 * The redemption that an order was sold with. Constants of the text: by values, which a plan made once knows nothing of, the index
 * of these alone would not be used, and all of the store's would be read.
 */
const isOfOrder = (status: 'held' | 'used') => sql<SqlBool>`status = ${sql.lit(status)} and not put_on`;

/** Whether an order, or the subscription of it, has or had the discount. */
export async function hasRedemption(
  db: Db,
  scope: Scope,
  { discountId, orderId }: { discountId: string; orderId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('discountRedemptions')
    .select('id')
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .where('discountId', '=', discountId)
    .where('status', '<>', 'released')
    .executeTakeFirst();
  return row !== undefined;
}

/** Moves an order's held redemption on; false when it holds none, and nothing happens. */
export async function closeRedemption(
  tx: Tx,
  scope: Scope,
  { orderId, outcome }: { orderId: string; outcome: 'used' | 'released' },
): Promise<boolean> {
  const redemption = await tx
    .updateTable('discountRedemptions')
    .set({ status: outcome })
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .where(isOfOrder('held'))
    .returning('discountId')
    .executeTakeFirst();
  if (!redemption) return false;
  await tx
    .updateTable('discounts')
    .set((eb) => ({
      heldCount: eb('heldCount', '-', 1),
      ...(outcome === 'used' ? { usedCount: eb('usedCount', '+', 1) } : {}),
    }))
    .where(inScope(scope))
    .where('id', '=', redemption.discountId)
    .execute();
  return true;
}

/**
 * Counts a use that nothing was held for, where the limit leaves room: an order that was paid at the discount's price
 * after all keeps that price, and the limit stays what it is.
 */
export async function insertUsedRedemption(
  tx: Tx,
  scope: Scope,
  use: { id: string; discountId: string; orderId: string; userId: string; createdAt: number },
): Promise<void> {
  const discount = await tx
    .updateTable('discounts')
    .set((eb) => ({ usedCount: eb('usedCount', '+', 1) }))
    .where(inScope(scope))
    .where('id', '=', use.discountId)
    .where(hasUsesLeft)
    .returning('id')
    .executeTakeFirst();
  if (!discount) return;
  await tx
    .insertInto('discountRedemptions')
    .values({ ...scopeColumns(scope), ...use, status: 'used' })
    .execute();
}

/** Gives back the redemption of an order whose money went back; nothing happens when it used none. */
export async function releaseUsedRedemption(tx: Tx, scope: Scope, orderId: string): Promise<void> {
  const redemption = await tx
    .updateTable('discountRedemptions')
    .set({ status: 'released' })
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .where(isOfOrder('used'))
    .returning('discountId')
    .executeTakeFirst();
  if (!redemption) return;
  await tx
    .updateTable('discounts')
    .set((eb) => ({ usedCount: eb('usedCount', '-', 1) }))
    .where(inScope(scope))
    .where('id', '=', redemption.discountId)
    .execute();
}

/** Keys that were handed to an order are its buyer's no longer, and nobody else's either. */
export async function revokeKeys(
  tx: Tx,
  scope: Scope,
  orderId: string,
  itemIds: readonly string[] | null = null,
): Promise<void> {
  await tx
    .updateTable('offerKeys')
    .set({ status: 'revoked' })
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .$if(itemIds !== null, (query) => query.where('orderItemId', 'in', itemIds ?? []))
    .where('status', '=', 'sold')
    .execute();
}

/** The discount whose redemption an order holds, if any. */
export async function findHeldDiscount(db: Db, scope: Scope, orderId: string): Promise<string | null> {
  const row = await db
    .selectFrom('discountRedemptions')
    .select('discountId')
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .where(isOfOrder('held'))
    .executeTakeFirst();
  return row?.discountId ?? null;
}
