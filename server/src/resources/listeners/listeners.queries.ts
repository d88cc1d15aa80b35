/** All SQL of listeners and of what waits for them. */
import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { deleteOver, type OverRow, type OverRows } from '../../db/over-rows.ts';
import type { ListenersTable } from '../../db/schema/events.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

/** What an attempt says of how it went. */
export type ReportedAttempt = Pick<
  Row<'webhookAttempts'>,
  'statusCode' | 'error' | 'errorDetail' | 'responseText' | 'address' | 'durationMs' | 'webhookVersion'
>;

/** How long a listener lives without being asked for. */
const IDLE_MS = 24 * 60 * 60 * 1000;
/** An ended one stays for whoever asks for it once more; what still ran when it ended is long over then. */
const KEPT_MS = 7 * IDLE_MS;

/** Those of a store that live at `realMs`; whoever counts holds the store's row. */
export async function countLivingListeners(tx: Tx, scope: Scope, realMs: number): Promise<number> {
  const { count } = await tx
    .selectFrom('listeners')
    .where(inScope(scope))
    .where('endedRealMs', 'is', null)
    .where('askedRealMs', '>', realMs - IDLE_MS)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

type NewListener = Omit<Insertable<ListenersTable>, 'workspaceId' | 'testMode'>;

export async function insertListener(tx: Tx, scope: Scope, listener: NewListener): Promise<Row<'listeners'>> {
  return tx
    .insertInto('listeners')
    .values({ ...scopeColumns(scope), ...listener })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findListener(db: Db, scope: Scope, id: string): Promise<Row<'listeners'> | undefined> {
  return db.selectFrom('listeners').selectAll().where(inScope(scope)).where('id', '=', id).executeTakeFirst();
}

/** Notes that a living listener was asked for at `realMs`; undefined = it is over, or never was. */
export async function touchListener(
  db: Db,
  scope: Scope,
  { id, realMs }: { id: string; realMs: number },
): Promise<Row<'listeners'> | undefined> {
  return db
    .updateTable('listeners')
    .set({ askedRealMs: realMs })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('endedRealMs', 'is', null)
    .where('askedRealMs', '>', realMs - IDLE_MS)
    .returningAll()
    .executeTakeFirst();
}

export interface HeardDelivery {
  id: string;
  eventId: string;
  eventType: string;
  body: string;
  attemptCount: number;
  createdAt: number;
}

/** Takes what waits for a listener, oldest first, so that nobody else gets it before the lease is over. */
export async function leaseDeliveries(
  db: Db,
  scope: Scope,
  lease: { listenerId: string; take: number; realMs: number; leaseMs: number },
): Promise<HeardDelivery[]> {
  const { listenerId, take, realMs, leaseMs } = lease;
  const { rows } = await sql<HeardDelivery>`
    with taken as (
      select d.id, e.id as event_id, e.type as event_type, e.body from webhook_deliveries d
      join events e on ${inScope(scope, 'e')} and e.id = d.event_id and e.body is not null
      where ${inScope(scope, 'd')} and d.listener_id = ${listenerId}::uuid and d.status = 'waiting'
        and coalesce(d.lease_until_real_ms, 0) <= ${realMs}::bigint
      order by d.created_at, e.id limit ${take}::int for update of d skip locked
    )
    update webhook_deliveries d set lease_until_real_ms = ${realMs + leaseMs}::bigint
    from taken t where ${inScope(scope, 'd')} and d.id = t.id
    returning d.id, t.event_id, t.event_type, t.body, d.attempt_count, d.created_at`.execute(db);
  return rows.sort((a, b) => a.createdAt - b.createdAt || (a.eventId < b.eventId ? -1 : 1));
}

export interface ListenerKey {
  scope: Scope;
  listenerId: string;
}

/** The listeners among these for which something waits that nobody has in hand. */
export async function findAwaited(
  db: Db,
  keys: readonly ListenerKey[],
  realMs: number,
): Promise<Set<string>> {
  const workspaceIds = keys.map(({ scope }) => scope.workspaceId);
  const { rows } = await sql<{ id: string }>`
    select k.id
    from unnest(${workspaceIds}::uuid[],
        ${keys.map(({ scope }) => scope.testMode)}::boolean[], ${keys.map(({ listenerId }) => listenerId)}::uuid[])
      as k (workspace_id, test_mode, id)
    where exists (select from webhook_deliveries d
      where d.workspace_id = any(${workspaceIds}::uuid[]) and d.workspace_id = k.workspace_id
        and d.test_mode = k.test_mode and d.listener_id = k.id
        and d.status = 'waiting' and coalesce(d.lease_until_real_ms, 0) <= ${realMs}::bigint)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

export interface LockedDelivery {
  id: string;
  eventId: string;
  eventType: string;
  status: Row<'webhookDeliveries'>['status'];
  attemptCount: number;
}

/** Those among these deliveries that are the listener's and still wait. */
export async function lockWaiting(
  tx: Tx,
  scope: Scope,
  { listenerId, ids }: { listenerId: string; ids: string[] },
): Promise<LockedDelivery[]> {
  const { rows } = await sql<LockedDelivery>`
    select d.id, d.event_id, e.type as event_type, d.status, d.attempt_count from webhook_deliveries d
    join events e on ${inScope(scope, 'e')} and e.id = d.event_id
    where ${inScope(scope, 'd')} and d.listener_id = ${listenerId}::uuid and d.id = any(${ids}::uuid[])
      and d.status = 'waiting'
    order by d.id for update of d`.execute(tx);
  return rows;
}

export interface EndedHearing {
  attemptId: string;
  listenerId: string;
  delivery: LockedDelivery;
  status: Row<'webhookDeliveries'>['status'];
  reason: string | null;
  attempt: ReportedAttempt;
  createdAt: number;
}

/** Writes the attempts that a machine has made, and ends their deliveries. */
export async function endHearings(tx: Tx, scope: Scope, ended: readonly EndedHearing[]): Promise<void> {
  for (const { delivery, attempt, status, reason, attemptId, listenerId, createdAt } of ended) {
    const { id: deliveryId, eventId, eventType, attemptCount: sequence } = delivery;
    await tx
      .insertInto('webhookAttempts')
      .values({
        ...scopeColumns(scope),
        ...{ id: attemptId, deliveryId, webhookId: listenerId, eventId, eventType, sequence, createdAt },
        ...attempt,
      })
      .execute();
    await tx
      .updateTable('webhookDeliveries')
      .set({ status, reason, attemptCount: sequence + 1, leaseUntilRealMs: null })
      .where(inScope(scope))
      .where('id', '=', deliveryId)
      .execute();
  }
}

const key = { id: 'uuid' } as const;

/** Living listeners that nobody has asked for in a day. */
export const IDLE_LISTENERS: OverRows = {
  table: 'listeners',
  key,
  isOver: sql`r.ended_real_ms is null and r.asked_real_ms <= real_now_ms() - ${IDLE_MS}::bigint`,
  since: sql`r.asked_real_ms`,
};

/** Those that ended long ago. */
export const OLD_LISTENERS: OverRows = {
  table: 'listeners',
  key,
  isOver: sql`r.ended_real_ms <= (select real_now_ms()) - ${KEPT_MS}::bigint`,
  since: sql`r.ended_real_ms`,
};

/**
 * Those that have ended. A sale that was under way may still have told one something: what waits for it is dropped for
 * as long as it is there.
 */
export const ENDED_LISTENERS: OverRows = {
  table: 'listeners',
  key,
  isOver: sql`r.ended_real_ms is not null`,
  since: sql`r.ended_real_ms desc`,
};

const idsOf = (rows: readonly OverRow[]) => sql`${rows.map(({ key: [id] }) => id)}::uuid[]`;

/** Ends those of a store that still are idle; answers how many. */
export async function endListeners(db: Db, scope: Scope, rows: readonly OverRow[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update listeners r set ended_real_ms = real_now_ms()
    where ${inScope(scope, 'r')} and r.id = any(${idsOf(rows)}) and ${IDLE_LISTENERS.isOver}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Drops what waits for listeners that have ended; answers how much. */
export async function dropUnheard(db: Db, scope: Scope, rows: readonly OverRow[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set status = 'dropped', reason = 'listener_ended'
    where ${inScope(scope)} and listener_id = any(${idsOf(rows)}) and status = 'waiting'`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Forgets those of a store that still are old; what they were told names them no more. Answers how many. */
export async function deleteOldListeners(tx: Tx, scope: Scope, rows: readonly OverRow[]): Promise<number> {
  await sql`
    update webhook_deliveries set listener_id = null
    where ${inScope(scope)} and listener_id = any(${idsOf(rows)})`.execute(tx);
  return deleteOver(tx, scope, { of: OLD_LISTENERS, rows });
}
