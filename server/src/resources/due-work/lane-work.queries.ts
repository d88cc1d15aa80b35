/**
 * Due work in lanes: what shares its slots, as all deliveries to one webhook do. Lanes are listed first and then
 * claimed from by turns, so that a long one holds up no other, however long it is.
 */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { Scope } from '../../db/scope.ts';
import {
  type ClaimedWork,
  isFree,
  isInTurn,
  isUnleased,
  LANE_CLAIM_MAX,
  toClaim,
  toClaimedWork,
} from './due-work.sql.ts';

const FIRST_LANE = '00000000-0000-0000-0000-000000000000';

const heads = keepQuery((db, { after, limit }: { after: string; limit: number }) => {
  const query = sql<{ lane: string; isDue: boolean }>`
    with recursive heads (lane, due_real_ms, place) as (
      (select w.lane, w.due_real_ms, 1 from due_work w
        where w.lane > ${after}::uuid order by w.lane, w.due_real_ms limit 1)
      union all
      select n.lane, n.due_real_ms, h.place + 1 from heads h
      cross join lateral (select w.lane, w.due_real_ms from due_work w
        where w.lane > h.lane order by w.lane, w.due_real_ms limit 1) n
      where h.place < ${limit}::int
    )
    select lane, due_real_ms <= (select real_now_ms()) as is_due from heads`;
  return { compile: () => query.compile(db) };
});

/**
 * Lanes that have something due now, in the order of their ids after `after` (null = from the first). At most
 * `limit` lanes are looked at; `next` is where to go on, null at the end. Each costs one step in the index,
 * whatever waits in it.
 */
export async function listDueLanes(
  db: Db,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ lanes: string[]; next: string | null }> {
  const rows = await heads(db, { after: after ?? FIRST_LANE, limit });
  return {
    lanes: rows.filter(({ isDue }) => isDue).map(({ lane }) => lane),
    next: rows.length < limit ? null : (rows.at(-1)?.lane ?? null),
  };
}

interface Claim {
  kinds: string[];
  /** The lanes, and how many of each, side by side. */
  lanes: string[];
  places: number[];
  limit: number;
  leaseMs: number;
}

const claim = keepQuery((db, { kinds, lanes, places, limit, leaseMs }: Claim) => {
  const next = sql`
    select w.workspace_id, w.test_mode, w.kind, w.ref_id
    from (
      select r.* from unnest(${lanes}::uuid[], ${places}::int[]) as l (lane, room)
      cross join lateral (
        select x.*, row_number() over (order by x.due_real_ms) as place from (
          select d.ctid as at, d.due_real_ms from due_work d
          where d.lane = l.lane and d.kind = any(${kinds}::text[]) and d.due_real_ms <= (select real_now_ms())
            and ${isFree('d')} and ${isInTurn('d')}
          order by d.due_real_ms limit ${LANE_CLAIM_MAX}::int
        ) x
      ) r
      where r.place <= l.room
      order by r.place, r.due_real_ms limit ${limit}::int
    ) p
    join due_work w on w.ctid = p.at
    where ${isUnleased('w')}
    for update of w skip locked`;
  const query = toClaim(next, leaseMs);
  return { compile: () => query.compile(db) };
});

export interface ClaimingLanes {
  kinds: string[];
  rooms: Array<{ lane: string; room: number }>;
  limit: number;
  leaseMs: number;
}

/** Takes due rows of these lanes by turns: the first of each, then the second of each, up to each one's room. */
export async function claimLaneWork(
  db: Db,
  { kinds, rooms, limit, leaseMs }: ClaimingLanes,
): Promise<ClaimedWork[]> {
  if (rooms.length === 0 || limit <= 0) return [];
  const lanes = rooms.map(({ lane }) => lane);
  const places = rooms.map(({ room }) => room);
  const rows = await claim(db, { kinds, lanes, places, limit, leaseMs });
  return rows.map(toClaimedWork).sort((a, b) => a.dueMs - b.dueMs);
}

/** Whether the lane of a store has work that was due at a moment of the workspace's time. */
export async function hasLaneWork(
  db: Db,
  { workspaceId, testMode }: Scope,
  { lane, untilMs }: { lane: string; untilMs: number },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from due_work where lane = ${lane}::uuid and workspace_id = ${workspaceId}
      and test_mode = ${testMode} and due_ms <= ${untilMs}::bigint) as found`.execute(db);
  return rows[0]?.found ?? false;
}
