/** All SQL of consents: written once, confirmed once, never changed. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export type NewConsent = Omit<Row<'consents'>, 'workspaceId' | 'testMode' | 'confirmedAt'>;

/** A try that is sent twice has agreed once. */
export async function insertConsents(tx: Tx, scope: Scope, consents: NewConsent[]): Promise<void> {
  if (consents.length === 0) return;
  await tx
    .insertInto('consents')
    .values(consents.map((consent) => ({ ...scopeColumns(scope), ...consent })))
    .onConflict((clash) =>
      clash.columns(['workspaceId', 'testMode', 'orderId', 'givenAt', 'kind']).doNothing(),
    )
    .execute();
}

/** Those of an order's last try. */
export async function listConsents(db: Db, scope: Scope, orderId: string): Promise<Array<Row<'consents'>>> {
  return db
    .selectFrom('consents')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.workspaceId', '=', 'consents.workspaceId')
        .on('orders.workspaceId', '=', scope.workspaceId)
        .onRef('orders.testMode', '=', 'consents.testMode')
        .onRef('orders.id', '=', 'consents.orderId')
        .onRef('orders.consentedAt', '=', 'consents.givenAt'),
    )
    .selectAll('consents')
    .where(inScope(scope, 'consents'))
    .where('consents.orderId', '=', orderId)
    .orderBy('consents.kind')
    .execute();
}

/** The mail that repeats what an order's buyer agreed to is on its way. */
async function confirmConsents(
  tx: Tx,
  scope: Scope,
  { orderId, confirmedAt }: { orderId: string; confirmedAt: number },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update consents c set confirmed_at = ${confirmedAt}::bigint
    where ${inScope(scope, 'c')} and c.order_id = ${orderId}::uuid and c.confirmed_at is null`.execute(tx);
  return numAffectedRows > 0n;
}

/** Marks content whose delivery begins now: of the items given, or of all that have keys. Answers whether any did. */
async function beginDelivery(
  tx: Tx,
  scope: Scope,
  { orderId, itemIds, atMs }: { orderId: string; itemIds: string[] | null; atMs: number },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update order_items i set delivery_began_at = ${atMs}::bigint
    where ${inScope(scope, 'i')} and i.order_id = ${orderId}::uuid and i.delivery_began_at is null
      and ${itemIds === null ? hasKey(scope) : sql`i.id = any(${itemIds}::uuid[])`}`.execute(tx);
  return numAffectedRows > 0n;
}

function hasKey(scope: Scope): RawBuilder<boolean> {
  return sql<boolean>`exists (select from offer_keys k
    where ${inScope(scope, 'k')} and k.order_id = i.order_id
      and k.order_item_id = i.id and k.status = 'sold')`;
}

/**
 * Content whose buyer agreed, whose delivery has begun and to whom both were confirmed cannot be withdrawn from; an order
 * of nothing else has lost its right.
 */
async function loseRight(tx: Tx, scope: Scope, orderId: string): Promise<void> {
  await sql`
    update orders o set withdrawable_until = null
    where ${inScope(scope, 'o')} and o.id = ${orderId}::uuid and o.withdrawable_until is not null
      and exists (select from consents c
        where ${inScope(scope, 'c')} and c.order_id = o.id
          and c.given_at = o.consented_at and c.kind = 'content' and c.confirmed_at is not null)
      and not exists (select from order_items i
        where ${inScope(scope, 'i')} and i.order_id = o.id
          and (i.withdrawal = 'service' or i.withdrawal = 'content' and i.delivery_began_at is null))`.execute(
    tx,
  );
}

export interface Delivered {
  orderId: string;
  /** Null = all that have keys. */
  itemIds: string[] | null;
  atMs: number;
}

/**
 * A key was shown or mailed, or a file opened: who has agreed to that, and was told so, cannot withdraw from it any more.
 * The first time counts.
 */
export async function noteDelivery(tx: Tx, scope: Scope, delivered: Delivered): Promise<void> {
  if (await beginDelivery(tx, scope, delivered)) await loseRight(tx, scope, delivered.orderId);
}

/** The mail that repeats the buyer's words went out. */
export async function noteConfirmation(
  tx: Tx,
  scope: Scope,
  confirmed: { orderId: string; confirmedAt: number },
): Promise<void> {
  if (await confirmConsents(tx, scope, confirmed)) await loseRight(tx, scope, confirmed.orderId);
}
