/** What of a buyer's subscriptions has not ended. */
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export async function listRunningOf(db: Db, scope: Scope, userId: string) {
  return db
    .selectFrom('subscriptions')
    .select(['id', 'number', 'paymentMethodId'])
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .orderBy('id')
    .execute();
}
