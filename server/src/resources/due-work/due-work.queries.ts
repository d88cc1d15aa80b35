/**
 * What is to be done later. A row is claimed with a lease and a fencing number: a worker that lost its
 * lease cannot finish what another has taken over. Real time is the database's.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope } from '../../db/scope.ts';

/** `dueMs` is on the workspace's own clock. */
export interface DueWork {
  kind: string;
  refId: string;
  dueMs: number;
}

export interface ClaimedWork extends DueWork {
  scope: Scope;
  fence: number;
  failures: number;
  /** The workspace's time when it was claimed. */
  nowMs: number;
}

const insertion = keepQuery((db, { rows, ...scope }: Scope & { rows: DueWork[] }) => {
  const values = rows.map(
    ({ kind, refId, dueMs }): RawBuilder<unknown> =>
      sql`(${scope.workspaceId}::uuid, ${scope.testMode}::boolean, ${kind}, ${refId}::uuid, ${dueMs}::bigint)`,
  );
  const query = sql`
    insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms)
    select w.workspace_id, w.test_mode, w.kind, w.ref_id, w.due_ms, w.due_ms - s.clock_offset_ms
    from (values ${sql.join(values)}) as w (workspace_id, test_mode, kind, ref_id, due_ms)
    join stores s on s.workspace_id = w.workspace_id and s.test_mode = w.test_mode
    on conflict (workspace_id, test_mode, kind, ref_id)
    do update set due_ms = excluded.due_ms, due_real_ms = excluded.due_real_ms, failures = 0, last_error = null,
      lease_until_ms = null, fence = due_work.fence + 1`;
  return { compile: () => query.compile(db) };
});

/** Enqueues in the transaction of the change. A row of this kind and reference that exists gets the new time. */
export async function insertDueWork(tx: Tx, scope: Scope, work: DueWork[]): Promise<void> {
  if (work.length > 0) await insertion(tx, { ...scope, rows: work });
}

const deletion = keepQuery((db, { kind, refId, ...scope }: Scope & { kind: string; refId: string }) =>
  db.deleteFrom('dueWork').where(inScope(scope)).where('kind', '=', kind).where('refId', '=', refId),
);

export async function deleteDueWork(tx: Tx, scope: Scope, kind: string, refId: string): Promise<void> {
  await deletion(tx, { ...scope, kind, refId });
}

/** Takes up to `limit` due rows of all workspaces, earliest first, skipping those that others hold. */
export async function claimDueWork(
  db: Db,
  options: { limit: number; leaseMs: number },
): Promise<ClaimedWork[]> {
  const { rows } = await sql<{
    workspaceId: string;
    testMode: boolean;
    kind: string;
    refId: string;
    dueMs: number;
    fence: number;
    failures: number;
    nowMs: number;
  }>`
    with next as (
      select workspace_id, test_mode, kind, ref_id from due_work
      where due_real_ms <= real_now_ms() and (lease_until_ms is null or lease_until_ms < real_now_ms())
      order by due_real_ms limit ${options.limit} for update skip locked
    )
    update due_work d set lease_until_ms = real_now_ms() + ${options.leaseMs}, fence = d.fence + 1
    from next n
    where d.workspace_id = n.workspace_id and d.test_mode = n.test_mode and d.kind = n.kind and d.ref_id = n.ref_id
    returning d.workspace_id, d.test_mode, d.kind, d.ref_id, d.due_ms, d.fence, d.failures,
      real_now_ms() + d.due_ms - d.due_real_ms as now_ms`.execute(db);
  return rows
    .map(({ workspaceId, testMode, ...work }) => ({ ...work, scope: { workspaceId, testMode } }))
    .sort((a, b) => a.dueMs - b.dueMs);
}

/** Ends a claimed row within the transaction of its effect; false when the lease was lost and the effect must not be. */
export async function finishDueWork(tx: Tx, work: ClaimedWork): Promise<boolean> {
  const result = await tx
    .deleteFrom('dueWork')
    .where(inScope(work.scope))
    .where('kind', '=', work.kind)
    .where('refId', '=', work.refId)
    .where('fence', '=', work.fence)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Sets a claimed row to a later time and gives the lease back; false when the lease was lost. */
export async function postponeDueWork(
  db: Db,
  work: ClaimedWork,
  next: { dueMs: number; failures?: number; lastError?: string | null },
): Promise<boolean> {
  const result = await db
    .updateTable('dueWork')
    .set((eb) => ({
      dueMs: next.dueMs,
      // The offset of the moment: due − due_real is what the row was made with.
      dueRealMs: eb('dueRealMs', '+', eb.val(next.dueMs - work.dueMs)),
      leaseUntilMs: null,
      failures: next.failures ?? 0,
      lastError: next.lastError ?? null,
    }))
    .where(inScope(work.scope))
    .where('kind', '=', work.kind)
    .where('refId', '=', work.refId)
    .where('fence', '=', work.fence)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Gives leases back at a graceful stop, so that another worker goes on at once. */
export async function releaseDueWork(db: Db, claimed: ClaimedWork[]): Promise<void> {
  for (const work of claimed) {
    await db
      .updateTable('dueWork')
      .set({ leaseUntilMs: null })
      .where(inScope(work.scope))
      .where('kind', '=', work.kind)
      .where('refId', '=', work.refId)
      .where('fence', '=', work.fence)
      .execute();
  }
}
