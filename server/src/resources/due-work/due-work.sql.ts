/** The SQL by which work is put into the queue, beside other rows as well as alone. */
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '../../db/scope.ts';

export interface DueWorkKey {
  kind: string;
  refId: string;
}

/** `dueMs` is on the workspace's own clock. */
export interface DueWork extends DueWorkKey {
  dueMs: number;
  /** What shares its slots with others of the same lane, as deliveries to one webhook do; missing = none. */
  lane?: string | null;
}

/** An insert of work that is due; a row that exists gets the new time, and whoever holds it loses it. */
export function toDueWorkInsertion(scope: Scope, rows: readonly DueWork[]): RawBuilder<unknown> {
  const values = rows.map(
    ({ kind, refId, dueMs, lane = null }): RawBuilder<unknown> =>
      sql`(${scope.workspaceId}::uuid, ${scope.testMode}::boolean, ${kind}, ${refId}::uuid, ${dueMs}::bigint,
        ${lane}::uuid)`,
  );
  return sql`
    insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms, lane)
    select w.workspace_id, w.test_mode, w.kind, w.ref_id, w.due_ms, w.due_ms - s.clock_offset_ms, w.lane
    from (values ${sql.join(values)}) as w (workspace_id, test_mode, kind, ref_id, due_ms, lane)
    join stores s on s.workspace_id = w.workspace_id and s.test_mode = w.test_mode
    on conflict (workspace_id, test_mode, kind, ref_id)
    do update set due_ms = excluded.due_ms, due_real_ms = excluded.due_real_ms, failures = 0, last_error = null,
      lease_until_ms = null, fence = due_work.fence + 1`;
}
