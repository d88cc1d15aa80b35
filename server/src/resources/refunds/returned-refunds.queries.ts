/** Refunds that came back after they had succeeded, and what of them was given back once more at their processor. */
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';

/** The refund of ours that a refund made at the processor has settled. */
export async function findReturnSettledThere(
  db: Db,
  scope: Scope,
  { paymentId, processorId }: { paymentId: string; processorId: string },
): Promise<Row<'refunds'> | undefined> {
  return db
    .selectFrom('refunds')
    .selectAll()
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('returnSettledThere', '=', true)
    .where('returnReference', '=', processorId)
    .executeTakeFirst();
}

/** The oldest of this sum that its buyer is still owed. Call it under the lock of the sale. */
export async function findReturnOwed(
  tx: Tx,
  scope: Scope,
  { paymentId, chargeId, amount }: { paymentId: string; chargeId: string; amount: bigint },
): Promise<Row<'refunds'> | undefined> {
  return tx
    .selectFrom('refunds')
    .selectAll()
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('chargeId', '=', chargeId)
    .where('amount', '=', amount)
    .where('returnedAt', 'is not', null)
    .where('returnSettledAt', 'is', null)
    .orderBy('returnedAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}
