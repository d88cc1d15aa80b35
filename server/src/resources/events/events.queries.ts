/** All SQL of events. */
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { isId, onPage, type Page } from '../../db/list.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { isSpread } from '../../db/store-form.ts';
import { tellWorkPut } from '../../domain/trace-points.ts';
import { toBuyerMailInsertion } from '../mails/mails.sql.ts';
import { toNumber } from '../sales/orders-of-term.sql.ts';
import { type NewEventRow, toBuyerMails, toEventInsertion, toHearers } from './events.sql.ts';
import { insertEventsApart } from './events-apart.queries.ts';

interface Insertion extends Scope {
  rows: NewEventRow[];
  /** The only webhook that may hear them. */
  webhookId?: string | undefined;
}

const insertion = keepQuery((db, { rows, webhookId, ...scope }: Insertion) => {
  const mails = toBuyerMails(rows);
  const query = sql`
    with new_events as (${toEventInsertion(scope, rows)}
      returning workspace_id, test_mode, id, type, created_at, order_id
    ), new_deliveries as (
      insert into webhook_deliveries (workspace_id, test_mode, id, webhook_id, listener_id, event_id, status, created_at)
      select e.workspace_id, e.test_mode, uuid_v7(e.created_at), w.webhook_id, w.listener_id, e.id, 'waiting',
        e.created_at
      from new_events e
      join (${toHearers(scope, webhookId)}
      ) w on e.type = any(w.events)
      returning 'deliver_webhook' as kind, workspace_id, test_mode, id, created_at, webhook_id as lane, event_id
    ) ${mails.length > 0 ? sql`, new_mails as (${toBuyerMailInsertion(scope, mails)})` : sql``}
    insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms, lane, queue, place)
    select d.workspace_id, d.test_mode, d.kind, d.id, d.created_at, d.created_at - s.clock_offset_ms, d.lane,
      e.order_id, e.id
    from (
      select * from new_deliveries where lane is not null
      ${mails.length > 0 ? sql`union all select 'send_mail', *, null::uuid, null::uuid from new_mails` : sql``}
    ) d
    left join new_events e on e.id = d.event_id and e.order_id is not null
    join stores s on s.workspace_id = ${scope.workspaceId} and s.test_mode = ${scope.testMode}`;
  return { compile: () => query.compile(db) };
});

/**
 * Events, their deliveries to the webhooks that hear them now, their mails, and the due work of these: one
 * statement for any number of events, since every sale waits for it, or one for each table. Nothing is waited for between
 * them.
 */
export async function insertEvents(
  tx: Tx,
  scope: Scope,
  events: NewEventRow[],
  webhookId?: string,
): Promise<void> {
  tellWorkPut(() => events.flatMap(({ id, orderId }) => (orderId === null ? [id] : [id, orderId])));
  if (isSpread(tx)) return insertEventsApart(tx, scope, { rows: events, webhookId });
  await insertion(tx, { ...scope, rows: events, webhookId });
}

/** How many deliveries to webhooks were made for an event. */
export async function countDeliveries(db: Db, scope: Scope, eventId: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhookDeliveries')
    .where(inScope(scope))
    .where('eventId', '=', eventId)
    .where('listenerId', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export interface EventFilter {
  types?: string[];
  createdFrom?: number;
  createdTo?: number;
  orderId?: string;
  /** Number of the subscription, which is its id in the API. */
  subscriptionNumber?: string;
  /** Its id, or the number of its order or subscription. */
  term?: string;
}

export async function findEvent(db: Db, scope: Scope, id: string): Promise<Row<'events'> | undefined> {
  return db.selectFrom('events').selectAll().where(inScope(scope)).where('id', '=', id).executeTakeFirst();
}

export interface DeliveryCounts {
  waiting: number;
  delivered: number;
  failed: number;
  dropped: number;
}

export type ListedEventRow = Row<'events'> & { deliveryCounts: DeliveryCounts };

/** Of one event: a few rows, one for each webhook and each time that it was sent again. */
const toDeliveryCounts = (scope: Scope) => sql<DeliveryCounts>`(
  select jsonb_build_object(
    'waiting', count(*) filter (where d.status = 'waiting'),
    'delivered', count(*) filter (where d.status = 'delivered'),
    'failed', count(*) filter (where d.status = 'failed'),
    'dropped', count(*) filter (where d.status = 'dropped'))
  from webhook_deliveries d
  where ${inScope(scope, 'd')} and d.event_id = events.id
    and d.listener_id is null)`;

export async function listEvents(
  db: Db,
  scope: Scope,
  { filter, page, withCount }: { filter: EventFilter; page: Page; withCount: boolean },
): Promise<{ rows: ListedEventRow[]; count: number | null }> {
  const [rows, counted] = await Promise.all([
    onPage(filtered(db, scope, filter).selectAll(), page)
      .select(toDeliveryCounts(scope).as('deliveryCounts'))
      .execute(),
    withCount
      ? filtered(db, scope, filter)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      : null,
  ]);
  return { rows, count: counted?.count ?? null };
}

function filtered(db: Db, scope: Scope, filter: EventFilter) {
  const { types, createdFrom, createdTo, orderId, subscriptionNumber, term } = filter;
  let query = db.selectFrom('events').where(inScope(scope));
  if (types) query = query.where('type', 'in', types);
  if (createdFrom !== undefined) query = query.where('createdAt', '>=', createdFrom);
  if (createdTo !== undefined) query = query.where('createdAt', '<=', createdTo);
  if (orderId) query = query.where('orderId', '=', orderId);
  if (term) query = query.where(isOf(scope, term));
  if (subscriptionNumber === undefined) return query;
  return query.where(
    sql<SqlBool>`subscription_id = ${idByNumber(scope, 'subscriptions', subscriptionNumber)}`,
  );
}

function isOf(scope: Scope, term: string) {
  const number = toNumber(term);
  const own = isId(term) ? sql`id = ${term}::uuid or` : sql``;
  return sql<SqlBool>`(${own} order_id = ${idByNumber(scope, 'orders', number)}
    or subscription_id = ${idByNumber(scope, 'subscriptions', number)})`;
}

function idByNumber(scope: Scope, table: 'orders' | 'subscriptions', number: string) {
  return sql`(select n.id from ${sql.table(table)} n where ${inScope(scope, 'n')} and n.number = ${number})`;
}
