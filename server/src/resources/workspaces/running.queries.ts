/** Subscriptions of a store that live: they would be charged again. */
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

/** Ids of at most `limit` of them. */
export async function listRunning(db: Db, scope: Scope, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where(inScope(scope))
    .where('endedAt', 'is', null)
    .where('status', 'in', ['active', 'trialing', 'past_due', 'paused', 'unpaid'])
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
