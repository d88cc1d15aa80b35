/**
 * Due work of live stores that are held waits where no claim reads it: passed over row by row, what a month leaves due in one
 * of them held up each look for anything else.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inSteps, ROWS_AT_ONCE } from '../../db/in-steps.ts';
import { isLeased } from '../../db/lease.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { LEASE_MS } from '../../domain/due-work.ts';
import { isHeld } from '../installation/held.sql.ts';
import { isOfStatement } from './due-work.sql.ts';

/**
 * So long nothing of it is looked at, if nobody lets the store go before: not for ever, so that it is not lost to whoever lets
 * it go and knows nothing of this, as the release of before.
 */
const ASIDE_MS = 24 * 3_600_000;

/** Due now and in nobody's hands. Where rows are changed now is no question by itself: no node of a spread store takes one. */
const isWaiting = (now: RawBuilder<unknown>) => sql<SqlBool>`
  d.due_real_ms <= ${now} and not ${isLeased(sql`d.lease_until_ms`, LEASE_MS, now)}`;

/** Workspaces whose live store is held. */
export async function listHeldWorkspaces(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.workspace_id as id from stores s where ${isHeld('s')} order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those of these workspaces in whose live store something is due. */
export async function listWithDueWork(db: Db, workspaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct d.workspace_id as id from due_work d
    where d.workspace_id = any(${[...workspaceIds]}::uuid[]) and not d.test_mode
      and ${isWaiting(sql`(select real_now_ms())`)}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Puts aside some of what is due, if the store is held; answers how much. Whoever lets it go has the row of the store locked, so it
 * is asked for first and looked at by a statement of its own: what is put aside after that would wait for a day.
 */
export async function putHeldWorkAside(tx: Tx, scope: Scope): Promise<number> {
  await tx.selectFrom('stores').select('workspaceId').where(inScope(scope)).forShare().execute();
  const { numAffectedRows } = await sql`
    update due_work d set due_real_ms = real_now_ms() + ${ASIDE_MS}::bigint, lease_until_ms = null, fence = d.fence + 1
    where ${inScope(scope, 'd')} and d.ctid = any(array(
      select d.ctid from due_work d
      where ${inScope(scope, 'd')} and ${isWaiting(sql`real_now_ms()`)}
        and exists (select from stores s where ${inScope(scope, 's')} and ${isHeld('s')})
      limit ${ROWS_AT_ONCE}::int for update of d skip locked))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Everything is due again when it was, but for what waits because its workspace is archived. A live store has the real time. */
export async function takeUpHeldWork(tx: Tx, scope: Scope): Promise<void> {
  await inSteps(() =>
    sql`
      update due_work d set due_real_ms = d.due_ms
      where ${inScope(scope, 'd')} and d.ctid = any(array(
        select d.ctid from due_work d join workspaces o on o.id = d.workspace_id
        where ${inScope(scope, 'd')} and d.due_real_ms <> d.due_ms
          and (o.state not in ('archived', 'restoring')
            or o.state = 'archived' and ${isOfStatement('d', scope.workspaceId)})
        limit ${ROWS_AT_ONCE}::int for update of d))`.execute(tx),
  );
}
