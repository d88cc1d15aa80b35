/** All SQL of refunds. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { RefundsTable } from '../../db/schema/payments.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';

type NewRefund = Omit<Insertable<RefundsTable>, 'workspaceId' | 'testMode'>;

const insertion = keepQuery((db, row: Scope & NewRefund) => db.insertInto('refunds').values(row));

export async function insertRefund(tx: Tx, scope: Scope, refund: NewRefund): Promise<void> {
  await insertion(tx, { ...scopeColumns(scope), ...refund });
}

/** A refund with the secret of its credit note's address. */
export type RefundRow = Row<'refunds'> & {
  creditNoteToken: string | null;
  /** What its charge is at the processor. */
  chargeProcessorId: string | null;
};

const refundById = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  selectWithCreditNote(db, scope).where('refunds.id', '=', id),
);

export async function findRefund(db: Db, scope: Scope, id: string): Promise<RefundRow | undefined> {
  const [row] = await refundById(db, { ...scopeColumns(scope), id });
  return row;
}

const lock = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db.selectFrom('refunds').selectAll().where(inScope(scope)).where('id', '=', id).forUpdate(),
);

export async function lockRefund(tx: Tx, scope: Scope, id: string): Promise<Row<'refunds'>> {
  const [row] = await lock(tx, { ...scopeColumns(scope), id });
  assert(row, 'a refund is never deleted while its payment is locked');
  return row;
}

type RefundChanges = Updateable<RefundsTable> & { id: string };

const update = keepQuery((db, { workspaceId, testMode, id, ...changes }: Scope & RefundChanges) =>
  db.updateTable('refunds').set(changes).where(inScope({ workspaceId, testMode })).where('id', '=', id),
);

export async function updateRefund(tx: Tx, scope: Scope, changes: RefundChanges): Promise<void> {
  await update(tx, { ...changes, ...scopeColumns(scope) });
}

const noteAsked = keepQuery((db, { id, at, ...scope }: Scope & { id: string; at: number }) =>
  db
    .updateTable('refunds')
    .set({ askedAt: sql<number>`coalesce(asked_at, ${at})` })
    .where(inScope(scope))
    .where('id', '=', id)
    .returning('askedAt'),
);

/** Before its processor is asked for it. Answers since when it is. */
export async function noteRefundAsked(
  db: Db,
  scope: Scope,
  { id, at }: { id: string; at: number },
): Promise<number> {
  const [row] = await noteAsked(db, { ...scopeColumns(scope), id, at });
  assert(row?.askedAt != null, 'a refund is asked for after it was written');
  return row.askedAt;
}

/** Oldest first. */
export async function listRefundsOfOrder(db: Db, scope: Scope, orderId: string): Promise<RefundRow[]> {
  return selectWithCreditNote(db, scope)
    .where('refunds.orderId', '=', orderId)
    .orderBy('refunds.createdAt')
    .orderBy('refunds.id')
    .execute();
}

interface RefundSums {
  takenMinor: bigint;
  takenTaxMinor: bigint;
  paidBackMinor: bigint;
  paidBackTaxMinor: bigint;
}

const sums = keepQuery((db, { paymentId, ...scope }: Scope & { paymentId: string }) =>
  db
    .selectFrom('refunds')
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('status', '<>', 'failed')
    .select([
      sql<bigint>`coalesce(sum(amount), 0)::minor_units`.as('takenMinor'),
      sql<bigint>`coalesce(sum(tax), 0)::minor_units`.as('takenTaxMinor'),
      sql<bigint>`coalesce(sum(amount) filter (where pays_back), 0)::minor_units`.as('paidBackMinor'),
      sql<bigint>`coalesce(sum(tax) filter (where pays_back), 0)::minor_units`.as('paidBackTaxMinor'),
    ]),
);

/** What was given back of a payment, or may yet be; whoever writes one reads it under the payment's lock. */
export async function sumRefunds(db: Db, scope: Scope, paymentId: string): Promise<RefundSums> {
  const [row] = await sums(db, { ...scopeColumns(scope), paymentId });
  assert(row, 'a sum has its row');
  return row;
}

const paymentToRefund = keepQuery((db, { orderId, ...scope }: Scope & { orderId: string }) => {
  const query = sql<{ id: string; paidElsewhere: bigint | null }>`
    select p.id, p.paid_elsewhere as "paidElsewhere" from payments p
    left join lateral (
      select coalesce(sum(r.amount), 0) as taken from refunds r
      where r.workspace_id = ${scope.workspaceId} and r.test_mode = ${scope.testMode} and r.payment_id = p.id
        and r.status <> 'failed'
    ) given on true
    where p.workspace_id = ${scope.workspaceId} and p.test_mode = ${scope.testMode} and p.order_id = ${orderId}
    order by
      case when p.status not in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED') then 2
        when p.value > given.taken then 0 else 1 end,
      p.created_at desc, p.id desc
    limit 1`;
  return { compile: () => query.compile(db) };
});

/**
 * The payment of an order that a refund without a name goes to: the newest with money left, else the newest
 * that was paid, else the newest.
 */
export async function findPaymentToRefund(
  db: Db,
  scope: Scope,
  orderId: string,
): Promise<{ id: string; paidElsewhere: bigint | null } | undefined> {
  const [row] = await paymentToRefund(db, { ...scopeColumns(scope), orderId });
  return row;
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
  | 'id'
  | 'processor'
  | 'connectionId'
  | 'processorId'
  | 'settledAt'
  | 'currency'
  | 'takenAmount'
  | 'takenCurrency'
>;

const paidCharge = keepQuery((db, { paymentId, ...scope }: Scope & { paymentId: string }) =>
  db
    .selectFrom('charges')
    .select(['id', 'processor', 'connectionId', 'processorId'])
    .select(['settledAt', 'currency', 'takenAmount', 'takenCurrency'])
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('status', '=', 'succeeded')
    .where('reversedAt', 'is', null),
);

export async function findPaidCharge(
  db: Db,
  scope: Scope,
  paymentId: string,
): Promise<PaidCharge | undefined> {
  const [row] = await paidCharge(db, { ...scopeColumns(scope), paymentId });
  return row;
}

const toChargeObject = (scope: Scope) => sql<string | null>`(
  select c.processor_id from charges c
  where ${inScope(scope, 'c')} and c.id = refunds.charge_id)`;

function selectWithCreditNote(db: Db, scope: Scope) {
  return db
    .selectFrom('refunds')
    .leftJoin('invoices', (join) =>
      join
        .onRef('invoices.workspaceId', '=', 'refunds.workspaceId')
        .on('invoices.workspaceId', '=', scope.workspaceId)
        .onRef('invoices.testMode', '=', 'refunds.testMode')
        .onRef('invoices.refundId', '=', 'refunds.id'),
    )
    .selectAll('refunds')
    .select(['invoices.token as creditNoteToken', toChargeObject(scope).as('chargeProcessorId')])
    .where(inScope(scope, 'refunds'));
}
