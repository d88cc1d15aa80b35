/** Checkouts by their ids, as a merchant asks for them. */
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface MerchantSessionRow {
  session: Row<'checkoutSessions'>;
  order: Pick<Row<'orders'>, 'id' | 'number' | 'status' | 'paidAt'> | null;
  /** Whether a charge of its order is under way. */
  isCharging: boolean;
}

export async function findMerchantSession(
  db: Db,
  scope: Scope,
  id: string,
): Promise<MerchantSessionRow | undefined> {
  const session = await db
    .selectFrom('checkoutSessions')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .where('byMerchant', '=', true)
    .executeTakeFirst();
  if (!session) return undefined;
  if (session.orderId === null) return { session, order: null, isCharging: false };
  const order = await db
    .selectFrom('orders')
    .select(['id', 'number', 'status', 'paidAt'])
    .where(inScope(scope))
    .where('id', '=', session.orderId)
    .executeTakeFirst();
  return { session, order: order ?? null, isCharging: await hasPendingCharge(db, scope, session.orderId) };
}

async function hasPendingCharge(db: Db, scope: Scope, orderId: string): Promise<boolean> {
  const charge = await db
    .selectFrom('charges')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.workspaceId', '=', 'charges.workspaceId')
        .on('payments.workspaceId', '=', scope.workspaceId)
        .onRef('payments.testMode', '=', 'charges.testMode')
        .onRef('payments.id', '=', 'charges.paymentId'),
    )
    .select('charges.id')
    .where(inScope(scope, 'charges'))
    .where('payments.orderId', '=', orderId)
    .where('charges.status', '=', 'pending')
    .executeTakeFirst();
  return charge !== undefined;
}

/** Notes the browser that opens it; false where another has before. */
export async function claimSession(
  db: Db,
  scope: Scope,
  { id, hash }: { id: string; hash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('checkoutSessions')
    .set({ openedByHash: hash })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('openedByHash', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
