/**
 * Claims where the rows of stores lie on several nodes: what is due is listed of many stores by one statement for each
 * node, as a hint, and then taken store by store, each on the node where it lies.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { isLeased } from '../../db/lease.ts';
import type { Scope } from '../../db/scope.ts';
import { LEASE_MS } from '../../domain/due-work.ts';
import { isHeld } from '../installation/held.sql.ts';
import {
  type ClaimedRow,
  type ClaimedWork,
  isFree,
  isInTurn,
  isUnleased,
  LANE_CLAIM_MAX,
  STATEMENT_KINDS,
  toClaimedWork,
  toEarliest,
} from './due-work.sql.ts';

/** A store that has something due. */
export interface DueStore extends Scope {
  /** Null = in lanes. */
  kind: string | null;
}

interface Listing {
  workspaceIds: readonly string[];
  limit: number;
}

/** Stores whose work is left alone for now, but for what an archived one may have done still. */
const isClosed = sql<SqlBool>`(s.clock_advancing_to is not null or ${isHeld('s')} or o.state = 'restoring')`;

/**
 * A store once for each kind: row by row, a thousand of one store would hide all others until they are done. All that is due is
 * read either way, since no index has it in order over kinds.
 *
 * What is left alone is not listed: it would stand before the rest again and again. Of an archived workspace something of
 * these kinds may be taken, which the taking decides. Tables that all nodes have are joined: a question within another asks
 * for them in vain.
 */
const rowsDue = keepQuery((db, { workspaceIds, limit }: Listing) => {
  const query = sql<DueStore>`
    select w.workspace_id, w.test_mode, w.kind from due_work w
    join stores s on s.workspace_id = w.workspace_id and s.test_mode = w.test_mode
    join workspaces o on o.id = w.workspace_id
    where w.workspace_id = any(${workspaceIds}::uuid[]) and w.lane is null
      and w.due_real_ms <= (select real_now_ms()) and not ${isLeased(sql`w.lease_until_ms`, LEASE_MS)}
      and not ${isClosed} and (o.state <> 'archived' or w.kind in (${STATEMENT_KINDS}, 'send_mail'))
    group by 1, 2, 3 order by min(w.due_real_ms) limit ${limit}::int`;
  return { compile: () => query.compile(db) };
});

/** One step in the index for each webhook, whatever waits for it: lanes are webhooks'. */
const lanesDue = keepQuery((db, { workspaceIds, limit }: Listing) => {
  const query = sql<DueStore>`
    select w.workspace_id, w.test_mode, null as kind from webhooks w
    where w.workspace_id = any(${workspaceIds}::uuid[])
      and exists (select from due_work d
        where d.workspace_id = any(${workspaceIds}::uuid[]) and d.workspace_id = w.workspace_id
          and d.test_mode = w.test_mode and d.lane = w.id and d.due_real_ms <= (select real_now_ms()))
    limit ${limit}::int`;
  return { compile: () => query.compile(db) };
});

const closed = keepQuery((db, _: Record<never, never>) => {
  const query = sql<Scope>`
    select s.workspace_id, s.test_mode from stores s join workspaces o on o.id = s.workspace_id
    where ${isClosed} or o.state = 'archived'`;
  return { compile: () => query.compile(db) };
});

/** Up to `limit` stores and kinds of which something is due that nobody holds, earliest first, and up to `limit` webhooks. */
export async function listDueStores(db: Db, listing: Listing): Promise<DueStore[]> {
  const [rows, lanes, left] = await Promise.all([
    rowsDue(db, listing),
    lanesDue(db, listing),
    closed(db, {}),
  ]);
  const alone = new Set(left.map(toName));
  return [...rows, ...lanes.filter((store) => !alone.has(toName(store)))];
}

const toName = ({ workspaceId, testMode }: Scope) => `${workspaceId}:${testMode}`;

interface Taking extends Scope {
  kinds: string[];
  limit: number;
  leaseMs: number;
}

/** No question by itself, which the engine takes to no node within a change. */
const NOW = sql`real_now_ms()`;

/**
 * As `toClaim` does it, within one store. `next` names places of rows, which stay where they are while they are locked: what
 * a `with` names would be written down between two steps of the engine's.
 */
const toTake = (next: RawBuilder<unknown>, { workspaceId, testMode, leaseMs }: Scope & { leaseMs: number }) =>
  sql<ClaimedRow>`
    update due_work d set lease_until_ms = real_now_ms() + ${leaseMs}::bigint, fence = d.fence + 1
    where d.workspace_id = ${workspaceId}::uuid and d.test_mode = ${testMode}::boolean
      and d.ctid = any(array(${next}))
    returning d.workspace_id, d.test_mode, d.kind, d.ref_id, d.lane, d.due_ms, d.fence, d.failures,
      d.lease_until_ms - ${leaseMs}::bigint + d.due_ms - d.due_real_ms as now_ms`;

const rows = keepQuery((db, taking: Taking) => {
  const { workspaceId, testMode, kinds, limit } = taking;
  const next = sql`
    select w.ctid from (${toEarliest({ kinds, limit, scope: { workspaceId, testMode }, now: NOW })}) p
    join due_work w on w.workspace_id = ${workspaceId}::uuid and w.test_mode = ${testMode}::boolean
      and w.kind = p.kind and w.ref_id = p.ref_id
    where w.lane is null and w.due_real_ms <= ${NOW} and ${isUnleased('w', NOW)}
    order by p.due_real_ms limit ${limit}::int for update of w skip locked`;
  const query = toTake(next, taking);
  return { compile: () => query.compile(db) };
});

/** Takes up to `limit` due rows of a store, earliest first, skipping those that others hold. */
export async function takeStoreRows(
  db: Db,
  scope: Scope,
  taking: Omit<Taking, keyof Scope>,
): Promise<ClaimedWork[]> {
  return toClaimed(await rows(db, { ...scope, ...taking }));
}

const lanesOfStore = keepQuery((db, { workspaceId, testMode }: Scope) => {
  const query = sql<{ lane: string }>`
    select w.id as lane from webhooks w
    where w.workspace_id = ${workspaceId}::uuid and w.test_mode = ${testMode}::boolean
      and exists (select from due_work d
        where d.workspace_id = ${workspaceId}::uuid and d.test_mode = ${testMode}::boolean and d.lane = w.id
          and d.due_real_ms <= (select real_now_ms()))
    order by w.id`;
  return { compile: () => query.compile(db) };
});

/** Lanes of a store that have something due now. */
export async function listStoreLanes(db: Db, { workspaceId, testMode }: Scope): Promise<string[]> {
  return (await lanesOfStore(db, { workspaceId, testMode })).map(({ lane }) => lane);
}

interface TakingLanes extends Taking {
  lanes: string[];
  /** How many of each lane, side by side. */
  places: number[];
}

const laneRows = keepQuery((db, taking: TakingLanes) => {
  const { workspaceId, testMode, kinds, lanes, places, limit } = taking;
  const next = sql`
    select w.ctid
    from (
      select r.* from unnest(${lanes}::uuid[], ${places}::int[]) as l (lane, room)
      cross join lateral (
        select x.*, row_number() over (order by x.due_real_ms) as place from (
          select d.kind, d.ref_id, d.due_real_ms from due_work d
          where d.workspace_id = ${workspaceId}::uuid and d.test_mode = ${testMode}::boolean and d.lane = l.lane
            and d.kind = any(${kinds}::text[]) and d.due_real_ms <= ${NOW}
            and ${isFree('d', workspaceId, NOW)} and ${isInTurn('d', workspaceId, NOW)}
          order by d.due_real_ms limit ${LANE_CLAIM_MAX}::int
        ) x
      ) r
      where r.place <= l.room
      order by r.place, r.due_real_ms limit ${limit}::int
    ) p
    join due_work w on w.workspace_id = ${workspaceId}::uuid and w.test_mode = ${testMode}::boolean
      and w.kind = p.kind and w.ref_id = p.ref_id
    where ${isUnleased('w', NOW)}
    for update of w skip locked`;
  const query = toTake(next, taking);
  return { compile: () => query.compile(db) };
});

/** Takes due rows of lanes of a store by turns, as `claimLaneWork` does. */
export async function takeStoreLanes(
  db: Db,
  scope: Scope,
  { rooms, ...taking }: Omit<Taking, keyof Scope> & { rooms: ReadonlyArray<{ lane: string; room: number }> },
): Promise<ClaimedWork[]> {
  const lanes = rooms.map(({ lane }) => lane);
  const places = rooms.map(({ room }) => room);
  return toClaimed(await laneRows(db, { ...scope, ...taking, lanes, places }));
}

function toClaimed(claimed: ClaimedRow[]): ClaimedWork[] {
  return claimed.map(toClaimedWork).sort((a, b) => a.dueMs - b.dueMs);
}
