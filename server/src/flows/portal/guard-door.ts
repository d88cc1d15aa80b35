/**
 * Wrong codes and passwords of a store are counted. So many that somebody must be guessing put it on its guard: each
 * code has one try then, until it is quiet again.
 */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { GUARD_ABOVE, GUARD_BELOW, GUARD_WINDOW_MINUTES } from '../../domain/portal/session-life.ts';
import { insertAuditEntry } from '../../resources/audit-log/audit-log.queries.ts';
import {
  countFailure,
  findGuard,
  putOnGuard,
  takeOffGuard,
} from '../../resources/portal/portal-guard.queries.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';

/** In no transaction of the try: it counts although that is refused. */
export async function noteFailure(ctx: Context, scope: Scope, requestId: string): Promise<void> {
  const nowMs = ctx.realNowMs();
  await inTransaction(ctx.db, async (tx) => {
    await countFailure(tx, scope, nowMs);
    const { since, failures } = await findGuard(tx, scope, { nowMs, minutes: GUARD_WINDOW_MINUTES });
    if (since !== null || failures <= GUARD_ABOVE || !(await putOnGuard(tx, scope, nowMs))) return;
    await insertAuditEntry(tx, scope, {
      id: ctx.ids.next(ctx.nowMs),
      actor: 'system',
      operation: 'guardPortal',
      objectId: null,
      before: null,
      after: { failures },
      requestId,
      createdAt: ctx.nowMs,
    });
    const key = `portal_guarded:${nowMs}`;
    const mail = { kind: 'portal_guarded' as const, params: { failures }, key, at: ctx.nowMs };
    await queueOwnerMails(tx, scope, [mail]);
  });
}

/** Whether the store is on its guard; one that is quiet again is not any more. */
export async function isGuarded(ctx: Context, db: Db, scope: Scope): Promise<boolean> {
  const nowMs = ctx.realNowMs();
  const { since, failures } = await findGuard(db, scope, { nowMs, minutes: GUARD_WINDOW_MINUTES });
  if (since === null) return false;
  if (failures >= GUARD_BELOW) return true;
  await inTransaction(ctx.db, (tx) => takeOffGuard(tx, scope));
  return false;
}
