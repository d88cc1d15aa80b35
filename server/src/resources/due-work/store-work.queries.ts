/** The due work of one store, for an advance of its test clock: in order, whatever real time says. */

import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { isLeased } from '../../db/lease.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { JobKind } from '../../domain/due-work.ts';
import { LEASE_MS } from '../../domain/due-work.ts';
import { type ClaimedWork, isInTurn } from './due-work.sql.ts';

interface WorkRow {
  kind: JobKind;
  refId: string;
  dueMs: number;
  fence: number;
  failures: number;
}

interface FreeWork {
  kinds: string[];
  /** The workspace's time up to which work is taken (ms, inclusive). */
  untilMs: number;
  /** Rows `kind:refId` that failed again and again, left for the time after the advance. */
  except: string[];
  limit: number;
}

interface Leased {
  leaseMs: number;
}

interface Grouped {
  /** Kinds that are done in groups. */
  groupKinds: string[];
  /** Rows of a group fall due within so long. */
  spanMs: number;
}

/** Not as a question by itself: no node of a spread store takes one within a change. */
const NOW = sql`real_now_ms()`;

/** The earliest rows, ties by kind and reference: the same store does the same in the same order. */
const toFree = (work: Scope & FreeWork) => sql`
  select kind, ref_id, due_ms from due_work w
  where workspace_id = ${work.workspaceId}::uuid and test_mode = ${work.testMode}::boolean
    and due_ms <= ${work.untilMs}::bigint
    -- What a chain is at work on is not claimed again: its lease would be lost under it.
    and not ${isLeased(sql`lease_until_ms`, LEASE_MS, NOW)}
    and kind = any(${work.kinds}::text[])
    and not (kind || ':' || ref_id = any(${work.except}::text[]))
    and ${isInTurn('w', work.workspaceId, NOW)}
  order by due_ms, kind, ref_id limit ${work.limit}::int`;

const toClaim = (
  next: RawBuilder<unknown>,
  { workspaceId, testMode, leaseMs }: Scope & Leased,
) => sql<WorkRow>`
  update due_work d set lease_until_ms = real_now_ms() + ${leaseMs}::bigint, fence = d.fence + 1
  from (${next}) n
  where d.workspace_id = ${workspaceId}::uuid and d.test_mode = ${testMode}::boolean
    and d.kind = n.kind and d.ref_id = n.ref_id
  returning d.kind, d.ref_id, d.due_ms, d.fence, d.failures`;

const claimAll = keepQuery((db, work: Scope & FreeWork & Leased) => {
  const query = toClaim(toFree(work), work);
  return { compile: () => query.compile(db) };
});

const claimFirst = keepQuery((db, work: Scope & FreeWork & Grouped & Leased) => {
  const next = sql`
    select kind, ref_id from (
      select *, bool_and(kind = first_kind) over (order by place) as is_unbroken from (
        select *, first_value(kind) over places as first_kind, first_value(due_ms) over places as first_ms,
          row_number() over places as place
        from (${toFree(work)}) free window places as (order by due_ms, kind, ref_id)) placed) ranked
    where place = 1 or is_unbroken and first_kind = any(${work.groupKinds}::text[])
      and due_ms < first_ms + ${work.spanMs}::bigint`;
  const query = toClaim(next, work);
  return { compile: () => query.compile(db) };
});

/** Takes the earliest rows, in order. */
export async function claimStoreWork(db: Db, scope: Scope, work: FreeWork & Leased): Promise<ClaimedWork[]> {
  return toClaimed(scope, await claimAll(db, { ...scope, ...work }));
}

/**
 * Takes the first row, and if it is of a kind that is done in groups, with it those of its kind that follow it within
 * the span, as long as no other comes between them.
 */
export async function claimNextOfStore(
  db: Db,
  scope: Scope,
  work: FreeWork & Grouped & Leased,
): Promise<ClaimedWork[]> {
  return toClaimed(scope, await claimFirst(db, { ...scope, ...work }));
}

function toClaimed(scope: Scope, rows: WorkRow[]): ClaimedWork[] {
  return rows
    .map((row) => ({ ...row, scope, nowMs: row.dueMs }))
    .sort((a, b) => a.dueMs - b.dueMs || compare(a.kind, b.kind) || compare(a.refId, b.refId));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** How many rows of the store others are at work on. */
export async function countLeased(db: Db, { workspaceId, testMode }: Scope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from due_work
    where workspace_id = ${workspaceId} and test_mode = ${testMode} and ${isLeased(sql`lease_until_ms`, LEASE_MS)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

export interface UpcomingWork {
  dueMs: number;
  kind: JobKind;
  /** Of a subscription its number, which is its id in the API. */
  id: string;
}

/** What falls due next in a store, in its order. */
export async function listUpcoming(
  db: Db,
  { workspaceId, testMode }: Scope,
  limit: number,
): Promise<UpcomingWork[]> {
  const { rows } = await sql<UpcomingWork>`
    select w.due_ms, w.kind, coalesce(s.number, w.ref_id::text) as id
    from due_work w
    left join subscriptions s on ${inScope({ workspaceId, testMode }, 's')} and s.id = w.ref_id
    where w.workspace_id = ${workspaceId} and w.test_mode = ${testMode}
    order by w.due_ms, w.kind, w.ref_id limit ${limit}`.execute(db);
  return rows;
}
