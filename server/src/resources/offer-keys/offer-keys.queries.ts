/** All SQL of the stock of keys. What a checkout holds of it is in `checkouts/holds.queries.ts`. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { onPage, type Page } from '../../db/list.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface OfferKeyFilter {
  offerId: string;
  statuses?: Array<Row<'offerKeys'>['status']> | undefined;
}

/** What a list shows: a key's text stays in the store. */
export async function listOfferKeys(db: Db, scope: Scope, filter: OfferKeyFilter, page: Page) {
  const [rows, { count }] = await Promise.all([
    onPage(filtered(db, scope, filter), page)
      .select(['id', 'offerId', 'status', 'fileName', 'orderId', 'createdAt', 'soldAt'])
      .select(sql<string | null>`case when length(key_text) > 8 then right(key_text, 4) end`.as('last4'))
      .execute(),
    filtered(db, scope, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export type OfferKeyRow = Awaited<ReturnType<typeof listOfferKeys>>['rows'][number];

function filtered(db: Db, scope: Scope, { offerId, statuses }: OfferKeyFilter) {
  const query = db.selectFrom('offerKeys').where(inScope(scope)).where('offerId', '=', offerId);
  return statuses ? query.where('status', 'in', statuses) : query;
}

export interface NewKeys {
  offerId: string;
  fileName: string | null;
  createdAt: number;
  /** Ids in the order of the texts: the stock is sold in the order of its ids. */
  keys: ReadonlyArray<{ id: string; text: string }>;
}

/** Inserts what the offer does not stock yet; returns how many that were. Two arrays, since 10,000 rows have too many parameters. */
export async function insertOfferKeys(tx: Tx, scope: Scope, stock: NewKeys): Promise<number> {
  const result = await sql`
    insert into offer_keys (workspace_id, test_mode, id, offer_id, status, key_text, file_name, created_at)
    select ${scope.workspaceId}, ${scope.testMode}, n.id, ${stock.offerId}, 'available', n.key_text,
      ${stock.fileName}, ${stock.createdAt}
    from unnest(${stock.keys.map(({ id }) => id)}::uuid[], ${stock.keys.map(({ text }) => text)}::text[])
      as n (id, key_text)
    on conflict (workspace_id, test_mode, offer_id, key_text) do nothing`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** How many of the texts, none named twice, the offer stocks or has stocked. */
export async function countStocked(
  db: Db,
  scope: Scope,
  { offerId, texts }: { offerId: string; texts: readonly string[] },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from unnest(${texts}::text[]) as n (key_text)
    join offer_keys k on k.workspace_id = ${scope.workspaceId} and k.test_mode = ${scope.testMode}
      and k.offer_id = ${offerId} and k.key_text = n.key_text`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function lockOfferKey(
  tx: Tx,
  scope: Scope,
  { offerId, keyId }: { offerId: string; keyId: string },
): Promise<Row<'offerKeys'> | undefined> {
  return tx
    .selectFrom('offerKeys')
    .selectAll()
    .where(inScope(scope))
    .where('offerId', '=', offerId)
    .where('id', '=', keyId)
    .forUpdate()
    .executeTakeFirst();
}

export async function deleteOfferKey(tx: Tx, scope: Scope, id: string): Promise<void> {
  await tx.deleteFrom('offerKeys').where(inScope(scope)).where('id', '=', id).execute();
}

/** Deletes the available keys of an offer; returns how many there were. */
export async function deleteAvailableKeys(tx: Tx, scope: Scope, offerId: string): Promise<number> {
  const result = await tx
    .deleteFrom('offerKeys')
    .where(inScope(scope))
    .where('offerId', '=', offerId)
    .where('status', '=', 'available')
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/**
 * Paid items of an offer that wait for keys, who paid first coming first, with the number each still needs.
 * Their orders are locked too, so that none is cancelled while keys are handed to it.
 */
export async function lockItemsAwaitingStock(tx: Tx, scope: Scope, offerId: string) {
  return tx
    .selectFrom('orderItems as i')
    .innerJoin('orders as o', (join) =>
      join
        .onRef('o.workspaceId', '=', 'i.workspaceId')
        .on('o.workspaceId', '=', scope.workspaceId)
        .onRef('o.testMode', '=', 'i.testMode')
        .onRef('o.id', '=', 'i.orderId'),
    )
    .select(['i.id', 'i.orderId'])
    .select(
      sql<number>`i.quantity - (
        select count(*) from offer_keys k
        where ${inScope(scope, 'k')}
          and k.order_id = i.order_id and k.order_item_id = i.id and k.status = 'sold')`.as('missing'),
    )
    .where(inScope(scope, 'i'))
    .where('i.offerId', '=', offerId)
    .where('i.fulfilment', '=', 'awaiting_stock')
    .orderBy('o.paidAt')
    .orderBy('i.id')
    .forNoKeyUpdate(['i', 'o'])
    .execute();
}

/** The oldest available keys of an offer, at most `count`; those that a checkout is taking are passed over. */
export async function lockAvailableKeys(
  tx: Tx,
  scope: Scope,
  { offerId, count }: { offerId: string; count: number },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('offerKeys')
    .select('id')
    .where(inScope(scope))
    .where('offerId', '=', offerId)
    .where('status', '=', 'available')
    .orderBy('id')
    .limit(count)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map((row) => row.id);
}

export interface SoldKey {
  keyId: string;
  orderId: string;
  orderItemId: string;
}

export async function updateKeysSold(
  tx: Tx,
  scope: Scope,
  { keys, soldAt }: { keys: readonly SoldKey[]; soldAt: number },
): Promise<void> {
  await sql`
    update offer_keys k
    set status = 'sold', sold_at = ${soldAt}, order_id = n.order_id, order_item_id = n.order_item_id
    from unnest(${keys.map((key) => key.keyId)}::uuid[], ${keys.map((key) => key.orderId)}::uuid[],
      ${keys.map((key) => key.orderItemId)}::uuid[]) as n (id, order_id, order_item_id)
    where k.workspace_id = ${scope.workspaceId} and k.test_mode = ${scope.testMode} and k.id = n.id`.execute(
    tx,
  );
}

interface StockQuestion {
  offerIds: string[];
  /** Of a store that has chosen none. */
  thresholdDefault: number;
}

const lowStock = keepQuery((db, { offerIds, thresholdDefault, ...scope }: Scope & StockQuestion) => {
  const query = sql<{ offerId: string; name: string; available: number; filledAt: number }>`
    select o.id as offer_id, coalesce(o.name, p.name) as name, stock.available, filled.created_at as filled_at
    from offers o
    join stores s on s.workspace_id = o.workspace_id and s.test_mode = o.test_mode
    join products p on ${inScope(scope, 'p')} and p.id = o.product_id
    cross join lateral (
      select coalesce((s.settings ->> 'lowStockThreshold')::integer, ${thresholdDefault}::integer) as keys
    ) threshold
    cross join lateral (
      select count(*)::integer as available from (
        select from offer_keys k
        where ${inScope(scope, 'k')} and k.offer_id = o.id
          and k.status = 'available'
        limit threshold.keys + 1) few) stock
    cross join lateral (
      select k.created_at from offer_keys k
      where ${inScope(scope, 'k')} and k.offer_id = o.id
      order by k.created_at desc limit 1) filled
    where ${inScope(scope, 'o')} and o.id = any(${offerIds}::uuid[])
      and threshold.keys > 0 and stock.available <= threshold.keys`;
  return { compile: () => query.compile(db) };
});

/** Those of the offers that have as few keys left as the merchant wants to hear of; `filledAt`: the newest key. */
export async function listLowStock(db: Db, scope: Scope, question: StockQuestion) {
  return lowStock(db, { ...scope, ...question });
}
