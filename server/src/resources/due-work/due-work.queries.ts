/**
 * What is to be done later. A row is claimed with a lease and a fencing number: a worker that lost its
 * lease cannot finish what another has taken over. Real time is the database's.
 */

import { sql } from 'kysely';
import { noteFacts } from '../../db/committed-facts.ts';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { OverRows } from '../../db/over-rows.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { JobKind } from '../../domain/due-work.ts';
import { tellWorkPut } from '../../domain/trace-points.ts';
import {
  type ClaimedWork,
  type DueWork,
  type DueWorkKey,
  isUnleased,
  toClaim,
  toClaimedWork,
  toDueWorkInsertion,
  toEarliest,
} from './due-work.sql.ts';

const insertion = keepQuery((db, { rows, ...scope }: Scope & { rows: DueWork[] }) => {
  const query = toDueWorkInsertion(scope, rows);
  return { compile: () => query.compile(db) };
});

/** Enqueues in the transaction of the change. A row of this kind and reference that exists gets the new time. */
export async function insertDueWork(tx: Tx, scope: Scope, work: DueWork[]): Promise<void> {
  if (work.length === 0) return;
  tellWorkPut(() => work.map(({ refId }) => refId));
  await insertion(tx, { ...scope, rows: work });
}

const deletion = keepQuery((db, { kind, refId, ...scope }: Scope & { kind: JobKind; refId: string }) =>
  db.deleteFrom('dueWork').where(inScope(scope)).where('kind', '=', kind).where('refId', '=', refId),
);

export async function deleteDueWork(tx: Tx, scope: Scope, kind: JobKind, refId: string): Promise<void> {
  await deletion(tx, { ...scope, kind, refId });
}

const replacement = keepQuery(
  (db, { rows, parts: { ended }, ...scope }: Scope & { rows: DueWork[]; parts: { ended: DueWorkKey } }) => {
    const query = sql`
      with ended as (
        delete from due_work where ${inScope(scope)} and kind = ${ended.kind} and ref_id = ${ended.refId}::uuid
      ) ${toDueWorkInsertion(scope, rows)}`;
    return { compile: () => query.compile(db) };
  },
);

/** Ends one row, if it is there, and enqueues others of other kinds, at once. */
export async function replaceDueWork(
  tx: Tx,
  scope: Scope,
  { ended, work }: { ended: DueWorkKey; work: DueWork[] },
): Promise<void> {
  tellWorkPut(() => work.map(({ refId }) => refId));
  await replacement(tx, { ...scope, rows: work, parts: { ended } });
}

interface Claiming {
  kinds: string[];
  limit: number;
  leaseMs: number;
}

/** A row is locked where it was seen: by its key there are several ways to it, and one reads the whole queue. */
const claim = keepQuery((db, { kinds, limit, leaseMs }: Claiming) => {
  const next = sql`
    select w.workspace_id, w.test_mode, w.kind, w.ref_id from (${toEarliest({ kinds, limit })}) p
    join due_work w on w.ctid = p.at
    where w.lane is null and w.due_real_ms <= (select real_now_ms()) and ${isUnleased('w')}
    order by p.due_real_ms limit ${limit}::int for update of w skip locked`;
  const query = toClaim(next, leaseMs);
  return { compile: () => query.compile(db) };
});

/**
 * Takes up to `limit` due rows of all workspaces, earliest first, skipping those that others hold. Work in
 * lanes is claimed apart, by `claimLaneWork`.
 */
export async function claimDueWork(db: Db, claiming: Claiming): Promise<ClaimedWork[]> {
  const rows = await claim(db, claiming);
  return rows.map(toClaimedWork).sort((a, b) => a.dueMs - b.dueMs);
}

const ending = keepQuery((db, { kind, refId, fence, ...scope }: Scope & DueWorkKey & { fence: number }) =>
  db
    .deleteFrom('dueWork')
    .where(inScope(scope))
    .where('kind', '=', kind)
    .where('refId', '=', refId)
    .where('fence', '=', fence)
    .returning('refId'),
);

/** Ends a claimed row within the transaction of its effect; false when the lease was lost and the effect must not be. */
export async function finishDueWork(tx: Tx, { scope, kind, refId, fence }: ClaimedWork): Promise<boolean> {
  const rows = await ending(tx, { ...scope, kind, refId, fence });
  if (rows.length === 1) return true;
  noteFacts(tx, () => [{ name: 'lease_lost', labels: { kind } }]);
  return false;
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

/** Holds a claimed row on, for work that takes longer than a lease; false when it was lost. */
export async function renewDueWork(
  db: Db,
  { scope, kind, refId, fence }: Pick<ClaimedWork, 'scope' | 'kind' | 'refId' | 'fence'>,
  leaseMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('dueWork')
    .set({ leaseUntilMs: sql<number>`real_now_ms() + ${leaseMs}::bigint` })
    .where(inScope(scope))
    .where('kind', '=', kind)
    .where('refId', '=', refId)
    .where('fence', '=', fence)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What is due of kinds that nobody does any more. */
export const ofKinds = (kinds: readonly string[]): OverRows => ({
  table: 'due_work',
  key: { kind: 'text', ref_id: 'uuid' },
  isOver: sql`r.kind = any(${[...kinds]}::text[])`,
  since: sql`r.due_ms`,
});

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
