/** All SQL of refunds. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { RefundsTable, Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

type NewRefund = Omit<Insertable<RefundsTable>, 'workspaceId' | 'testMode'>;

export async function insertRefund(tx: Tx, scope: Scope, refund: NewRefund): Promise<void> {
  await tx
    .insertInto('refunds')
    .values({ ...scopeColumns(scope), ...refund })
    .execute();
}

/** A refund with the secret of its credit note's address. */
export type RefundRow = Row<'refunds'> & { creditNoteToken: string | null };

export async function findRefund(db: Db, scope: Scope, id: string): Promise<RefundRow | undefined> {
  return selectWithCreditNote(db, scope).where('refunds.id', '=', id).executeTakeFirst();
}

export async function lockRefund(tx: Tx, scope: Scope, id: string): Promise<Row<'refunds'>> {
  return tx
    .selectFrom('refunds')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateRefund(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<RefundsTable> & { id: string },
): Promise<void> {
  await tx.updateTable('refunds').set(changes).where(inScope(scope)).where('id', '=', id).execute();
}

/** Oldest first. */
export async function listRefundsOfOrder(db: Db, scope: Scope, orderId: string): Promise<RefundRow[]> {
  return selectWithCreditNote(db, scope)
    .where('refunds.orderId', '=', orderId)
    .orderBy('refunds.createdAt')
    .orderBy('refunds.id')
    .execute();
}

/** What was given back of a payment, or may yet be; read under the payment's lock. */
export async function sumRefunds(
  tx: Tx,
  scope: Scope,
  paymentId: string,
): Promise<{ takenMinor: bigint; takenTaxMinor: bigint; paidBackMinor: bigint; paidBackTaxMinor: bigint }> {
  return tx
    .selectFrom('refunds')
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('status', '<>', 'failed')
    .select([
      sql<bigint>`coalesce(sum(amount), 0)::minor_units`.as('takenMinor'),
      sql<bigint>`coalesce(sum(tax), 0)::minor_units`.as('takenTaxMinor'),
      sql<bigint>`coalesce(sum(amount) filter (where pays_back), 0)::minor_units`.as('paidBackMinor'),
      sql<bigint>`coalesce(sum(tax) filter (where pays_back), 0)::minor_units`.as('paidBackTaxMinor'),
    ])
    .executeTakeFirstOrThrow();
}

/**
 * The payment of an order that a refund without a name goes to: the newest with money left, else the newest
 * that was paid, else the newest.
 */
export async function findPaymentToRefund(
  db: Db,
  scope: Scope,
  orderId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select p.id from payments p
    left join lateral (
      select coalesce(sum(r.amount), 0) as taken from refunds r
      where r.workspace_id = p.workspace_id and r.test_mode = p.test_mode and r.payment_id = p.id
        and r.status <> 'failed'
    ) given on true
    where p.workspace_id = ${scope.workspaceId} and p.test_mode = ${scope.testMode} and p.order_id = ${orderId}
    order by
      case when p.status not in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED') then 2
        when p.value > given.taken then 0 else 1 end,
      p.created_at desc, p.id desc
    limit 1`.execute(db);
  return rows[0]?.id;
}

/** Payments back of an order that were written and not sent yet, oldest first. */
export async function listUnsentPayBacks(db: Db, scope: Scope, orderId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('refunds')
    .select('id')
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .where('paysBack', '=', true)
    .where('status', '=', 'pending')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The charge that paid a payment: the one that succeeded and was not reversed. */
type PaidCharge = Pick<
  Row<'charges'>,
  'id' | 'processor' | 'settledAt' | 'currency' | 'takenAmount' | 'takenCurrency'
>;

export async function findPaidCharge(
  db: Db,
  scope: Scope,
  paymentId: string,
): Promise<PaidCharge | undefined> {
  return db
    .selectFrom('charges')
    .select(['id', 'processor', 'settledAt', 'currency', 'takenAmount', 'takenCurrency'])
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('status', '=', 'succeeded')
    .where('reversedAt', 'is', null)
    .executeTakeFirst();
}

function selectWithCreditNote(db: Db, scope: Scope) {
  return db
    .selectFrom('refunds')
    .leftJoin('invoices', (join) =>
      join
        .onRef('invoices.workspaceId', '=', 'refunds.workspaceId')
        .onRef('invoices.testMode', '=', 'refunds.testMode')
        .onRef('invoices.refundId', '=', 'refunds.id'),
    )
    .selectAll('refunds')
    .select('invoices.token as creditNoteToken')
    .where(inScope(scope, 'refunds'));
}
