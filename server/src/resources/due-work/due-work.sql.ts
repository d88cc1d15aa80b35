/** The SQL by which work is put into the queue, beside other rows as well as alone, and by which it is claimed. */

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isLeased } from '../../db/lease.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { JobKind } from '../../domain/due-work.ts';
import { LEASE_MS } from '../../domain/due-work.ts';
import { isHeld } from '../installation/held.sql.ts';

/** How many rows of a lane are looked at in one claim: the most that it may be given. */
export const LANE_CLAIM_MAX = 96;

export interface DueWorkKey {
  kind: JobKind;
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

export interface ClaimedWork extends DueWork {
  scope: Scope;
  fence: number;
  failures: number;
  /** The workspace's time when it was claimed. */
  nowMs: number;
}

export interface ClaimedRow extends Omit<ClaimedWork, 'scope'>, Scope {}

/**
 * The claim of the rows that `next` names by their key, for a query that begins with it. Now is asked for once:
 * compared with a moment that could change from row to row, the index would be read to its end.
 */
export function toClaim(next: RawBuilder<unknown>, leaseMs: number): RawBuilder<ClaimedRow> {
  return sql<ClaimedRow>`
    with next as (${next})
    update due_work d set lease_until_ms = real_now_ms() + ${leaseMs}::bigint, fence = d.fence + 1
    from next n
    where d.workspace_id = n.workspace_id and d.test_mode = n.test_mode and d.kind = n.kind and d.ref_id = n.ref_id
    returning d.workspace_id, d.test_mode, d.kind, d.ref_id, d.lane, d.due_ms, d.fence, d.failures,
      d.lease_until_ms - ${leaseMs}::bigint + d.due_ms - d.due_real_ms as now_ms`;
}

/**
 * Free to be taken now. A store whose test clock is being advanced does its own work, in order; of an archived workspace
 * nothing is taken, nor of a live store that is held, nor of what is being restored. Asked row by row, in the order in which rows
 * are found: as `not exists` it would be a join, for which all that is due is sorted first.
 */
export function isFree(row: string, workspaceId?: string, now?: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const of = (column: string) => sql.ref(`${row}.${column}`);
  return sql<SqlBool>`
    ${isUnleased(row, now)}
    and (select true from stores s join workspaces o on o.id = s.workspace_id
      where s.workspace_id = ${of('workspaceId')} and s.test_mode = ${of('testMode')}
        and (s.clock_advancing_to is not null or ${isHeld('s')} or o.state = 'restoring' or o.state = 'archived' and not ${isOfStatement(row, workspaceId)})
    ) is not true`;
}

/**
 * Held by no worker: what is asked once more of a row that is being locked, which another may have taken in between. What its
 * store says was seen at the same moment, and would be no other.
 */
export const isUnleased = (row: string, now?: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`not ${isLeased(sql.ref(`${row}.leaseUntilMs`), LEASE_MS, now)}`;

/** What buyers state, and what lets them state it, whichever row it is. */
export const STATEMENT_KINDS = sql`'attend_withdrawal', 'attend_notice', 'send_refund', 'send_portal_code'`;

/**
 * What buyers state is heard in a shop that is closed, too: its effect, the refund, and the mails that tell of it. So that
 * who has bought can state it, and fetch documents, the codes go out that let them in.
 */
export function isOfStatement(row: string, workspaceId?: string): RawBuilder<SqlBool> {
  const ofOne = workspaceId === undefined ? sql`` : sql`and sm.workspace_id = ${workspaceId}`;
  const of = (column: string) => sql.ref(`${row}.${column}`);
  return sql<SqlBool>`(${of('kind')} in (${STATEMENT_KINDS})
    or ${of('kind')} = 'send_mail' and exists (select from mails sm
      where sm.workspace_id = ${of('workspaceId')} and sm.test_mode = ${of('testMode')} and sm.id = ${of('refId')} ${ofOne}
        and sm.kind in ('magic_link', 'withdrawal_received', 'withdrawal_decided', 'notice_received', 'notice_decided', 'refund',
          'subscription_ending', 'subscription_cancelled')))`;
}

/** So many times as many rows are looked at as are taken: others may hold the first of them at that moment. */
const SPARE = sql.lit(4);

interface Earliest {
  kinds: readonly string[];
  limit: number;
  /** Of one store; missing = of all. */
  scope?: Scope;
  now?: RawBuilder<unknown>;
}

/**
 * The earliest free rows of these kinds in no lane, by their keys and places (`at`), in order, for a query that locks them. Each kind is asked for
 * by itself: along the times of all kinds a million subscriptions that are due would be passed over to find one delivery.
 */
export function toEarliest({
  kinds,
  limit,
  scope,
  now = sql`(select real_now_ms())`,
}: Earliest): RawBuilder<unknown> {
  const ofStore = scope === undefined ? sql`` : sql`and ${inScope(scope, 'c')}`;
  return sql`
    select c.workspace_id, c.test_mode, c.kind, c.ref_id, c.due_real_ms, c.at
    from unnest(${kinds}::text[]) as k (kind)
    cross join lateral (
      select c.workspace_id, c.test_mode, c.kind, c.ref_id, c.due_real_ms, c.ctid as at from due_work c
      where c.kind = k.kind ${ofStore} and c.lane is null and c.due_real_ms <= ${now}
        and ${isFree('c', scope?.workspaceId, now)}
      order by c.due_real_ms limit ${limit}::int * ${SPARE}
    ) c
    order by c.due_real_ms limit ${limit}::int * ${SPARE}`;
}

/** So long a row of a queue holds up those behind it once it was begun: a delivery has its answer by then, or none. */
const TURN_MS = 15_000;

/**
 * Whether none of its queue stands before it: one that has not been begun, or was begun so lately that it may still
 * have its turn. A row of no queue waits for none.
 */
export function isInTurn(
  row: string,
  workspaceId?: string,
  now: RawBuilder<unknown> = sql`(select real_now_ms())`,
): RawBuilder<SqlBool> {
  const ofOne = workspaceId === undefined ? sql`` : sql`and e.workspace_id = ${workspaceId}::uuid`;
  const of = (column: string) => sql.ref(`${row}.${column}`);
  return sql<SqlBool>`not exists (
    select from due_work e where e.lane = ${of('lane')} and e.queue = ${of('queue')} ${ofOne}
      and (e.due_ms, e.place) < (${of('dueMs')}, ${of('place')})
      and (e.lease_until_ms is null or e.lease_until_ms > ${now} + ${LEASE_MS - TURN_MS}::bigint))`;
}

/** The deletion of a kind's rows of these references. */
export function toDueWorkDeletion(
  scope: Scope,
  { kind, refIds }: { kind: JobKind; refIds: readonly string[] },
): RawBuilder<unknown> {
  return sql`
    delete from due_work w
    where ${inScope(scope, 'w')} and w.kind = ${kind} and w.ref_id = any(${[...refIds]}::uuid[])`;
}

export function toClaimedWork({ workspaceId, testMode, ...work }: ClaimedRow): ClaimedWork {
  return { ...work, scope: { workspaceId, testMode } };
}
