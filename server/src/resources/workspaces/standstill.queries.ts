/** SQL of a workspace that stands still: its due work waits apart, and its subscriptions are taken up again one by one. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inSteps, ROWS_AT_ONCE } from '../../db/in-steps.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { isOfStatement } from '../due-work/due-work.sql.ts';

/** A moment that no clock reaches: what waits there is not looked at by any claim. */
const PARKED_MS = 8_640_000_000_000_000;

/** What is free waits where no claim reads it; what is being done ends first, and the state holds back the rest. */
export async function parkDueWork(tx: Tx, workspaceId: string): Promise<void> {
  await inSteps(() =>
    sql`
      update due_work d set due_real_ms = ${PARKED_MS}::bigint
      where d.workspace_id = ${workspaceId} and d.ctid = any(array(
        select d.ctid from due_work d
        where d.workspace_id = ${workspaceId} and d.due_real_ms <> ${PARKED_MS}::bigint and d.lease_until_ms is null
          and not ${isOfStatement('d', workspaceId)}
        limit ${ROWS_AT_ONCE}::int for update of d))`.execute(tx),
  );
}

/** Everything is due again when it was. */
export async function unparkDueWork(tx: Tx, workspaceId: string): Promise<void> {
  await inSteps(() =>
    sql`
      update due_work d set due_real_ms = d.due_ms - s.clock_offset_ms from stores s
      where d.workspace_id = ${workspaceId} and s.workspace_id = d.workspace_id and s.test_mode = d.test_mode
        and d.ctid = any(array(
          select d.ctid from due_work d
          where d.workspace_id = ${workspaceId} and d.due_real_ms = ${PARKED_MS}::bigint
          limit ${ROWS_AT_ONCE}::int for update of d))`.execute(tx),
  );
}

/** Subscriptions that have begun, have not ended and still stand where the archiving at `fromMs` left them. */
export async function listStandingStill(
  db: Db,
  scope: Scope,
  { fromMs, limit }: { fromMs: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where(inScope(scope))
    .where('endedAt', 'is', null)
    .where('currentIntervalEnd', 'is not', null)
    .where((eb) => eb.or([eb('stoodStillUntil', 'is', null), eb('stoodStillUntil', '<', fromMs)]))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
