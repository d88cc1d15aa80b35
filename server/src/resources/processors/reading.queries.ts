/** SQL of reading what happened at processors: whose turn it is, how far it came, and who did it. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, isInThese, isOfThese, type OfStores, type Scope, scopeColumns } from '../../db/scope.ts';

export interface ReadingTimes {
  /** Of what is told at an endpoint. */
  toldMs: number;
  /** Of what is told nowhere, or not any more. */
  untoldMs: number;
  /** The same while a charge is open. */
  openMs: number;
}

/** An endpoint of `p` that is heard. */
const isHeard = (stores: OfStores) => sql<boolean>`exists (
  select from processor_endpoints e
  where ${isInThese('e', stores)} and e.workspace_id = p.workspace_id and e.test_mode = p.test_mode and e.connection_id = p.id
    and e.processor_id is not null and (e.ends_at is null or e.ends_at > (select real_now_ms())))`;

/** What can be asked at all. */
const ASKED = sql<boolean>`p.credentials is not null and p.credentials <> 'lost' and p.health <> 'broken'`;

/** Those of these stores whose turn it is; they count as read from here on, so that one process reads each. */
export async function claimToRead(
  db: Db,
  { toldMs, untoldMs, openMs, ...stores }: OfStores & ReadingTimes,
): Promise<Array<Row<'processors'>>> {
  const { rows } = await sql<Row<'processors'>>`
    update processors p set read_at = real_now_ms()
    where ${isOfThese('p', stores)} and ${ASKED} and (p.read_at is null or p.read_at <= real_now_ms() - case
      when p.health <> 'silent' and ${isHeard(stores)} then ${toldMs}::bigint
      when exists (
        select from charges c
        where ${isInThese('c', stores)} and c.workspace_id = p.workspace_id and c.test_mode = p.test_mode and c.status = 'pending'
          and c.connection_id = p.id and c.hold is null) then ${openMs}::bigint
      else ${untoldMs}::bigint end)
    returning p.*`.execute(db);
  return rows;
}

/** Those of these stores that can be asked. */
export async function listReadable(db: Db, stores: OfStores): Promise<Array<Row<'processors'>>> {
  const { rows } = await sql<Row<'processors'>>`
    select p.* from processors p where ${isOfThese('p', stores)} and ${ASKED} order by p.workspace_id, p.test_mode, p.id`.execute(
    db,
  );
  return rows;
}

/**
 * Those of these stores that are well and whose last charge that was settled so long ago nobody has told of, although there
 * is an endpoint since before it: nothing was heard from then on.
 */
export async function listSilent(
  db: Db,
  { afterMs, withinMs, ...stores }: OfStores & { afterMs: number; withinMs: number },
): Promise<Array<Row<'processors'>>> {
  const { rows } = await sql<Row<'processors'>>`
    select p.* from processors p
    cross join lateral (
      select c.sent_at from charges c
      join stores s on s.workspace_id = c.workspace_id and s.test_mode = c.test_mode
      where ${isInThese('c', stores)} and c.workspace_id = p.workspace_id and c.test_mode = p.test_mode and c.connection_id = p.id
        and c.status = 'succeeded' and c.sent_at <= (select real_now_ms()) - ${afterMs}::bigint
        and c.settled_at between (select real_now_ms()) + s.clock_offset_ms - ${withinMs}::bigint
          and (select real_now_ms()) + s.clock_offset_ms - ${afterMs}::bigint
      order by c.settled_at desc, c.id desc limit 1) last
    where ${isOfThese('p', stores)} and ${ASKED} and p.health in ('ok', 'degraded')
      and exists (
        select from processor_endpoints e
        where ${isInThese('e', stores)} and e.workspace_id = p.workspace_id and e.test_mode = p.test_mode and e.connection_id = p.id
          and e.processor_id is not null and e.ends_at is null and e.created_at <= last.sent_at)
      and not exists (
        select from processor_events t
        where ${isInThese('t', stores)} and t.workspace_id = p.workspace_id and t.test_mode = p.test_mode and t.connection_id = p.id
          and t.received_at >= last.sent_at and not t.was_read)`.execute(db);
  return rows;
}

export interface Reading {
  connectionId: string;
  processId: string;
  begunAt: number;
  endedAt: number;
  /** Where the next one begins. */
  readFrom: number;
}

/** With its last page: it was read to its end. What was read further before stays so. */
export async function noteReading(tx: Tx, scope: Scope, { readFrom, ...reading }: Reading): Promise<void> {
  const { connectionId, endedAt } = reading;
  await sql`
    update processors set read_from = greatest(read_from, ${readFrom}::bigint), read_at = greatest(read_at, ${endedAt}::bigint)
    where ${inScope(scope)} and id = ${connectionId}::uuid`.execute(tx);
  await tx
    .insertInto('processorBackfills')
    .values({ ...scopeColumns(scope), ...reading })
    .onConflict((on) => on.columns(['workspaceId', 'testMode', 'connectionId', 'processId']).doNothing())
    .execute();
}
