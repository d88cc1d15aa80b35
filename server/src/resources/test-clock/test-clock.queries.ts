/** The test clock's state on its store. Real time is the database's. */
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { isLeased } from '../../db/lease.ts';
import { inScope, type Scope } from '../../db/scope.ts';

/** While it holds, workers leave the store's work alone and other writes are refused. */
export const CLOCK_LEASE_MS = 30_000;
const IS_LEASED = isLeased(sql`clock_lease_until_ms`, CLOCK_LEASE_MS);

/**
 * Begins an advance towards `toMs`; false when one is under way. One whose lease is over was left by a process
 * that died: it is taken over.
 */
export async function holdClock(db: Db, { workspaceId, testMode }: Scope, toMs: number): Promise<boolean> {
  const result = await sql`
    update stores set clock_advancing_to = ${toMs}::bigint, clock_lease_until_ms = real_now_ms() + ${CLOCK_LEASE_MS}
    where workspace_id = ${workspaceId} and test_mode = ${testMode}
      and (clock_advancing_to is null or not ${IS_LEASED})`.execute(db);
  return result.numAffectedRows === 1n;
}

const moving = keepQuery((db, { toMs, ...scope }: Scope & { toMs: number }) => {
  const query = sql`
    update stores set clock_lease_until_ms = real_now_ms() + ${CLOCK_LEASE_MS}::bigint,
      clock_offset_ms = greatest(clock_offset_ms, ${toMs}::bigint - real_now_ms())
    where workspace_id = ${scope.workspaceId}::uuid and test_mode = ${scope.testMode}::boolean`;
  return { compile: () => query.compile(db) };
});

/** Sets the clock to a moment on the way, never back, and keeps the lease. */
export async function moveClock(db: Db, scope: Scope, toMs: number): Promise<void> {
  await moving(db, { ...scope, toMs });
}

/** Ends the advance: what is left is due in real time by the new offset. */
export async function releaseClock(tx: Tx, scope: Scope): Promise<void> {
  await tx
    .updateTable('stores')
    .set({ clockAdvancingTo: null, clockLeaseUntilMs: null })
    .where(inScope(scope))
    .execute();
  await sql`
    update due_work d set due_real_ms = d.due_ms - s.clock_offset_ms from stores s
    where d.workspace_id = ${scope.workspaceId} and d.test_mode = ${scope.testMode}
      and s.workspace_id = d.workspace_id and s.test_mode = d.test_mode
      and d.due_real_ms <> d.due_ms - s.clock_offset_ms`.execute(tx);
}

/** Stores whose advance was left by a process that died. */
export async function listAbandonedClocks(db: Db): Promise<Scope[]> {
  return db
    .selectFrom('stores')
    .select(['workspaceId', 'testMode'])
    .where('clockAdvancingTo', 'is not', null)
    .where(sql<SqlBool>`not ${IS_LEASED}`)
    .execute();
}

/** The test clock back at real time, for an emptied store. */
export async function resetClock(tx: Tx, scope: Scope): Promise<void> {
  await tx
    .updateTable('stores')
    .set({ clockOffsetMs: 0, clockAdvancingTo: null, clockLeaseUntilMs: null, currency: null })
    .where(inScope(scope))
    .execute();
}
