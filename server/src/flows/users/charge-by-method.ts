import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { takeMethod } from '../../resources/subscriptions/locked-subscription.queries.ts';

/** One subscription, or all of a user that run, are charged by the method from now on; what they owe at once. */
export async function chargeByMethod(
  ctx: Step,
  scope: Scope,
  { tx, methodId, of }: { tx: Tx; methodId: string; of: { subscriptionId: string } | { userId: string } },
): Promise<void> {
  const owing = await takeMethod(tx, scope, { methodId, of });
  const work = owing.map((refId) => ({ kind: 'collect_owed' as const, refId, dueMs: ctx.nowMs }));
  await insertDueWork(tx, scope, work);
}
