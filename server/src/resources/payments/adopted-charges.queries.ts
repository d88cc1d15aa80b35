/** All SQL of what a processor has taken for periods whose payments are not written yet. */
import type { Selectable } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { AdoptedChargesTable } from '../../db/schema/payments.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export type AdoptedCharge = Omit<Selectable<AdoptedChargesTable>, 'workspaceId' | 'testMode'>;

/** False where another object has paid for the period. */
export async function noteAdopted(tx: Tx, scope: Scope, adopted: AdoptedCharge): Promise<boolean> {
  const { processorId } = adopted;
  await tx
    .insertInto('adoptedCharges')
    .values({ ...scopeColumns(scope), ...adopted })
    .onConflict((on) => on.doNothing())
    .execute();
  const row = await tx
    .selectFrom('adoptedCharges')
    .select('processorId')
    .where(inScope(scope))
    .where('subscriptionId', '=', adopted.subscriptionId)
    .where('periodStart', '=', adopted.periodStart)
    .executeTakeFirst();
  return row?.processorId === processorId;
}

/** The payment that it has waited for is written: its row is no more. */
export async function takeAdopted(
  tx: Tx,
  scope: Scope,
  { subscriptionId, periodStart }: { subscriptionId: string; periodStart: number },
): Promise<AdoptedCharge | undefined> {
  return tx
    .deleteFrom('adoptedCharges')
    .where(inScope(scope))
    .where('subscriptionId', '=', subscriptionId)
    .where('periodStart', '=', periodStart)
    .returning(['chargeId', 'paymentId', 'connectionId', 'processorId', 'subscriptionId', 'periodStart'])
    .executeTakeFirst();
}
