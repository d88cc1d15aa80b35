/** The test clock's state on its store. Real time is the database's. */
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { isLeased } from '../../db/lease.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { isOfSeen } from '../workspaces/restoring.sql.ts';

/** While it holds, workers leave the store's work alone and other writes are refused. */
export const CLOCK_LEASE_MS = 30_000;
const IS_LEASED = isLeased(sql`clock_lease_until_ms`, CLOCK_LEASE_MS, sql`real_now_ms()`);

/** A clock that is held: by whoever was given the fence, until another was given the next. */
export interface HeldClock {
  scope: Scope;
  fence: number;
}

/**
 * Begins an advance towards `toMs`; null when one is under way. One whose lease is over was left by a process
 * that died: it is taken over.
 */
export async function holdClock(db: Db, scope: Scope, toMs: number): Promise<HeldClock | null> {
  const { rows } = await sql<{ fence: number }>`
    update stores set clock_advancing_to = ${toMs}::bigint, clock_fence = clock_fence + 1,
      clock_lease_until_ms = real_now_ms() + ${CLOCK_LEASE_MS}
    where workspace_id = ${scope.workspaceId} and test_mode = ${scope.testMode}
      and (clock_advancing_to is null or not ${IS_LEASED})
    returning clock_fence as fence`.execute(db);
  return rows[0] ? { scope, fence: rows[0].fence } : null;
}

/** Keeps the hold while something else is waited for; false when another has it. */
export async function renewClock(db: Db, { scope, fence }: HeldClock): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('stores')
    .set({ clockLeaseUntilMs: sql<number>`real_now_ms() + ${CLOCK_LEASE_MS}` })
    .where(inScope(scope))
    .where('clockFence', '=', fence)
    .where('clockAdvancingTo', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const moving = keepQuery((db, { toMs, fence, ...scope }: Scope & { toMs: number; fence: number }) => {
  const query = sql`
    update stores set clock_lease_until_ms = real_now_ms() + ${CLOCK_LEASE_MS}::bigint,
      clock_offset_ms = greatest(clock_offset_ms, ${toMs}::bigint - real_now_ms())
    where workspace_id = ${scope.workspaceId}::uuid and test_mode = ${scope.testMode}::boolean
      and clock_fence = ${fence}::bigint and clock_advancing_to is not null
    returning clock_fence`;
  return { compile: () => query.compile(db) };
});

/** Sets the clock to a moment on the way, never back, and keeps the lease; false when another has it. */
export async function moveClock(db: Db, { scope, fence }: HeldClock, toMs: number): Promise<boolean> {
  return (await moving(db, { ...scope, fence, toMs })).length === 1;
}

/** Ends the advance: what is left is due in real time by the new offset. Nothing where another has the clock. */
export async function releaseClock(tx: Tx, { scope, fence }: HeldClock): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('stores')
    .set({ clockAdvancingTo: null, clockLeaseUntilMs: null })
    .where(inScope(scope))
    .where('clockFence', '=', fence)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await sql`
    update due_work d set due_real_ms = d.due_ms - s.clock_offset_ms from stores s
    where d.workspace_id = ${scope.workspaceId} and d.test_mode = ${scope.testMode}
      and s.workspace_id = d.workspace_id and s.test_mode = d.test_mode
      and d.due_real_ms <> d.due_ms - s.clock_offset_ms`.execute(tx);
}

/** Stores whose advance was left by a process that died. */
export async function listAbandonedClocks(db: Db): Promise<HeldClock[]> {
  const rows = await db
    .selectFrom('stores')
    .select(['workspaceId', 'testMode', 'clockFence as fence'])
    .where('clockAdvancingTo', 'is not', null)
    .where(isOfSeen('stores'))
    .where(sql<SqlBool>`not ${IS_LEASED}`)
    .execute();
  return rows.map(({ fence, ...scope }) => ({ scope, fence }));
}

/** The test clock back at real time, for a store that is emptied; false when another has it. */
export async function resetClock(tx: Tx, { scope, fence }: HeldClock): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('stores')
    .set({ clockOffsetMs: 0, currency: null })
    .where(inScope(scope))
    .where('clockFence', '=', fence)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
