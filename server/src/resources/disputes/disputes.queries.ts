/** All SQL of disputes. */
import type { Insertable, Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { DisputesTable } from '../../db/schema/payments.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

type NewDispute = Omit<Insertable<DisputesTable>, 'workspaceId' | 'testMode'>;

export async function insertDispute(tx: Tx, scope: Scope, dispute: NewDispute): Promise<void> {
  await tx
    .insertInto('disputes')
    .values({ ...scopeColumns(scope), ...dispute })
    .execute();
}

/** As its processor names it, of a charge. */
export async function findDispute(
  db: Db,
  scope: Scope,
  { chargeId, processorId }: { chargeId: string; processorId: string },
): Promise<Row<'disputes'> | undefined> {
  return db
    .selectFrom('disputes')
    .selectAll()
    .where(inScope(scope))
    .where('chargeId', '=', chargeId)
    .where('processorId', '=', processorId)
    .executeTakeFirst();
}

/** That a refund has come of. */
export async function findDisputeOfRefund(
  db: Db,
  scope: Scope,
  { id, chargeId }: Pick<Row<'refunds'>, 'id' | 'chargeId'>,
): Promise<Row<'disputes'> | undefined> {
  return db
    .selectFrom('disputes')
    .selectAll()
    .where(inScope(scope))
    .where('chargeId', '=', chargeId)
    .where('refundId', '=', id)
    .executeTakeFirst();
}

/** What the open disputes of a payment hold of it. */
export async function sumOpenDisputes(
  db: Db,
  scope: Scope,
  paymentId: string,
): Promise<{ amountMinor: bigint; taxMinor: bigint }> {
  const open = await db
    .selectFrom('disputes')
    .select(['amount', 'tax'])
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('status', '=', 'open')
    .execute();
  const sum = { amountMinor: 0n, taxMinor: 0n };
  for (const { amount, tax } of open) {
    sum.amountMinor += amount;
    sum.taxMinor += tax;
  }
  return sum;
}

const openDisputes = keepQuery((db, { paymentId, ...scope }: Scope & { paymentId: string }) =>
  db
    .selectFrom('disputes')
    .select('chargeId')
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('status', '=', 'open')
    .limit(1),
);

/** Whether the payment's money is in dispute now. */
export async function isDisputed(db: Db, scope: Scope, paymentId: string): Promise<boolean> {
  return (await openDisputes(db, { ...scopeColumns(scope), paymentId })).length > 0;
}

/** Of all payments of an order. */
export async function listDisputesOfOrder(db: Db, scope: Scope, orderId: string): Promise<Row<'disputes'>[]> {
  return db
    .selectFrom('disputes')
    .selectAll()
    .where(inScope(scope))
    .where('paymentId', 'in', (eb) =>
      eb.selectFrom('payments').select('id').where(inScope(scope, 'payments')).where('orderId', '=', orderId),
    )
    .execute();
}

export async function updateDispute(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: Updateable<DisputesTable> & { id: string },
): Promise<void> {
  await tx.updateTable('disputes').set(changes).where(inScope(scope)).where('id', '=', id).execute();
}
