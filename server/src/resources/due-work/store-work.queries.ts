/** The due work of one store, for an advance of its test clock: in order, whatever real time says. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { Scope } from '../../db/scope.ts';
import type { ClaimedWork } from './due-work.queries.ts';

interface WorkRow {
  kind: string;
  refId: string;
  dueMs: number;
  fence: number;
  failures: number;
}

interface NextWork {
  /** Kinds that are taken, or left out. */
  kinds: string[];
  isTaking: boolean;
  /** The workspace's time up to which work is taken (ms, inclusive). */
  untilMs: number;
  /** Rows `kind:refId` that failed again and again, left for the time after the advance. */
  except: string[];
  limit: number;
  leaseMs: number;
}

const claim = keepQuery((db, next: Scope & NextWork) => {
  const query = sql<WorkRow>`
    with next as (
      select kind, ref_id from due_work
      where workspace_id = ${next.workspaceId}::uuid and test_mode = ${next.testMode}::boolean
        and due_ms <= ${next.untilMs}::bigint
        -- What a chain is at work on is not claimed again: its lease would be lost under it.
        and (lease_until_ms is null or lease_until_ms < (select real_now_ms()))
        and (kind = any(${next.kinds}::text[])) = ${next.isTaking}::boolean
        and not (kind || ':' || ref_id = any(${next.except}::text[]))
      order by due_ms, kind, ref_id limit ${next.limit}::int
    )
    update due_work d set lease_until_ms = real_now_ms() + ${next.leaseMs}::bigint, fence = d.fence + 1
    from next n
    where d.workspace_id = ${next.workspaceId}::uuid and d.test_mode = ${next.testMode}::boolean
      and d.kind = n.kind and d.ref_id = n.ref_id
    returning d.kind, d.ref_id, d.due_ms, d.fence, d.failures`;
  return { compile: () => query.compile(db) };
});

/** Takes the earliest rows; ties by kind and reference, so that the same store does the same in the same order. */
export async function claimStoreWork(db: Db, scope: Scope, next: NextWork): Promise<ClaimedWork[]> {
  const rows = await claim(db, { ...scope, ...next });
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
    where workspace_id = ${workspaceId} and test_mode = ${testMode} and lease_until_ms > real_now_ms()`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
