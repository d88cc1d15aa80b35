/** What waits for a connection that is broken, paused or retired, or whose store was restored just now. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { AWAITS_PROCESSOR } from '../../domain/processors/waiting.ts';

export interface Waiting {
  charges: number;
  refunds: number;
}

/** By connection; those that nothing waits for are left out. What one that is retired has begun goes on. */
export async function countWaiting(db: Db, scope: Scope): Promise<Map<string, Waiting>> {
  const { rows } = await sql<{ id: string; charges: number; refunds: number }>`
    with halted as (
      select id, status from processors
      where ${inScope(scope)} and (status <> 'active' or health = 'broken' or adopt_from is not null)
    )
    select h.id,
      (select count(*)::int from due_work w
        join subscriptions s on ${inScope(scope, 's')} and s.id = w.ref_id
        join payment_methods m on ${inScope(scope, 'm')} and m.id = s.payment_method_id and m.connection_id = h.id
        where ${inScope(scope, 'w')} and w.kind = 'advance_subscription' and w.last_error = ${AWAITS_PROCESSOR})
      + (select count(*)::int from charges c
        where ${inScope(scope, 'c')} and c.status = 'pending' and c.hold is null and c.action_path is null
          and c.expected_by is null and c.connection_id = h.id and h.status <> 'retired') as charges,
      (select count(*)::int from refunds r
        where ${inScope(scope, 'r')} and r.status = 'pending' and r.connection_id = h.id
          and h.status <> 'retired') as refunds
    from halted h`.execute(db);
  return new Map(rows.map(({ id, ...waiting }) => [id, waiting]));
}

/**
 * Makes due what waits for the connection, in the order in which it was due: renewals, refunds, and looks at charges and
 * methods that had no answer. A look that was under way meanwhile may yet end without one, and is then repeated soon.
 */
export async function bringForwardWaiting(
  tx: Tx,
  scope: Scope,
  { connectionId, nowMs }: { connectionId: string; nowMs: number },
): Promise<void> {
  // Rows before the work that looks after them, as whoever settles one takes them.
  await forgetSilence(tx, scope, connectionId);
  await sql`
    with waiting as (
      select w.kind, w.ref_id, coalesce(s.current_interval_end, w.due_ms) as since
      from due_work w
      join subscriptions s on ${inScope(scope, 's')} and s.id = w.ref_id
      join payment_methods m on ${inScope(scope, 'm')} and m.id = s.payment_method_id
      where ${inScope(scope, 'w')} and w.kind = 'advance_subscription' and w.last_error = ${AWAITS_PROCESSOR}
        and m.connection_id = ${connectionId}::uuid
      union all
      select w.kind, w.ref_id, r.created_at from due_work w
      join refunds r on ${inScope(scope, 'r')} and r.id = w.ref_id and r.status = 'pending'
        and r.connection_id = ${connectionId}::uuid
      where ${inScope(scope, 'w')} and w.kind = 'send_refund'
      union all
      select w.kind, w.ref_id, c.created_at from charges c
      join payments p on ${inScope(scope, 'p')} and p.id = c.payment_id
      join due_work w on ${inScope(scope, 'w')} and (w.kind = 'watch_payment' and w.ref_id = p.id
        or w.kind = 'watch_order' and w.ref_id = p.order_id)
      where ${inScope(scope, 'c')} and c.status = 'pending' and c.hold is null
        and c.action_path is null and c.expected_by is null and c.connection_id = ${connectionId}::uuid
      union all
      select w.kind, w.ref_id, m.created_at from method_setups m
      join due_work w on ${inScope(scope, 'w')} and w.kind = 'watch_setup' and w.ref_id = m.id
      where ${inScope(scope, 'm')} and m.status = 'pending' and m.action_path is null
        and m.connection_id = ${connectionId}::uuid
    ), ranked as (
      select kind, ref_id, row_number() over (order by since desc, ref_id) as place from waiting
    )
    update due_work w set due_ms = ${nowMs}::bigint - r.place,
      due_real_ms = ${nowMs}::bigint - r.place - s.clock_offset_ms, failures = 0, last_error = null,
      lease_until_ms = null, fence = w.fence + 1
    from ranked r, stores s
    where ${inScope(scope, 'w')} and ${inScope(scope, 's')} and w.kind = r.kind and w.ref_id = r.ref_id
      and w.due_ms > ${nowMs}::bigint - r.place`.execute(tx);
}

/** How often nobody answered says nothing any more once somebody does. */
async function forgetSilence(tx: Tx, scope: Scope, connectionId: string): Promise<void> {
  for (const table of ['charges', 'methodSetups'] as const) {
    await tx
      .updateTable(table)
      .set({ silentLooks: 0 })
      .where(inScope(scope))
      .where('connectionId', '=', connectionId)
      // A constant of the text: by a value the index of what is pending is not used.
      .where('status', '=', sql.lit('pending' as const))
      .where('silentLooks', '>', 0)
      .execute();
  }
}
