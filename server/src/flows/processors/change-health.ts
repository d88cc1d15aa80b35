/** Whether a connection is well, as the store keeps it for all processes. */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { lockProcessor, updateProcessor } from '../../resources/processors/processors.queries.ts';
import { bringForwardWaiting } from '../../resources/processors/waiting-work.queries.ts';
import { getClock } from '../../resources/workspaces/workspaces.queries.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';
import { isResting } from '../payments/provider-of.ts';

type Health = Row<'processors'>['health'];

export interface HealthChange {
  id: string;
  to: Health;
  /** A stable word; null where it is well. */
  reason: string | null;
  /** States that it leads on from; missing = all. */
  from?: readonly Health[];
}

/** Notes it once, in a transaction of its own: by a process that has seen it. Answers whether it was news. */
export async function noteHealth(
  service: Omit<Context, 'nowMs'>,
  scope: Scope,
  change: HealthChange,
): Promise<boolean> {
  const { offsetMs } = await getClock(service.db, scope);
  const ctx = { ...service, nowMs: service.realNowMs() + offsetMs };
  const isNews = await inTransaction(service.db, (tx) => changeHealth(ctx, scope, { tx, ...change }));
  if (isNews) service.nudgeWorker(scope);
  return isNews;
}

/** What the owners are told of at once. */
const MAIL_OF = { broken: 'processor_broken', silent: 'processor_silent' } as const;

/** Owners are told when nobody lets us in, or tells us anything, any more; what has waited goes on once somebody does. */
export async function changeHealth(
  ctx: Step,
  scope: Scope,
  { tx, id, to, reason, from }: HealthChange & { tx: Tx },
): Promise<boolean> {
  const row = await lockProcessor(tx, scope, id);
  if (!row || row.health === to || (from && !from.includes(row.health))) return false;
  const healthSince = ctx.realNowMs();
  const after = { ...row, health: to };
  await updateProcessor(tx, scope, {
    id,
    health: to,
    healthSince,
    healthReason: reason,
    checkedAt: healthSince,
  });
  if (to === 'broken' || to === 'silent') {
    const kind = MAIL_OF[to];
    const params = { name: row.name, kind: row.kind };
    const key = `${kind}:${id}:${healthSince}`;
    await queueOwnerMails(tx, scope, [{ kind, params, key, at: ctx.nowMs }]);
  }
  await resumeWaiting(ctx, scope, { tx, before: row, after });
  return true;
}

/** What waited while it was halted or retired, and whatever it gave no answer about while it was unwell, is due now. */
export async function resumeWaiting(
  { nowMs }: Pick<Step, 'nowMs'>,
  scope: Scope,
  { tx, before, after }: { tx: Tx; before: Row<'processors'>; after: Row<'processors'> },
): Promise<void> {
  const goesOn = isResting(before)
    ? !isResting(after)
    : before.health === 'degraded' && after.health === 'ok' && !isResting(after);
  if (!goesOn) return;
  await bringForwardWaiting(tx, scope, { connectionId: after.id, nowMs });
}
