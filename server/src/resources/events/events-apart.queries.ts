/**
 * What `insertEvents` writes, by a statement for each table. Where one writes what it selects, the workspace is said and not
 * selected: else the engine hands the statement to every piece of the table, on every node.
 */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { type BuyerMailRow, toBuyerMailInsertion } from '../mails/mails.sql.ts';
import { type NewEventRow, toBuyerMails, toEventInsertion, toHearers } from './events.sql.ts';

interface Told {
  ids: string[];
  types: string[];
  moments: number[];
  orderIds: Array<string | null>;
}

interface Only {
  webhookId?: string | undefined;
}

const events = keepQuery((db, { rows, ...scope }: Scope & { rows: NewEventRow[] }) => {
  const query = toEventInsertion(scope, rows);
  return { compile: () => query.compile(db) };
});

const deliveries = keepQuery(
  (db, { ids, types, moments, webhookId, ...scope }: Scope & Omit<Told, 'orderIds'> & Only) => {
    const query = sql`
      insert into webhook_deliveries (workspace_id, test_mode, id, webhook_id, listener_id, event_id, status, created_at)
      select ${scope.workspaceId}::uuid, ${scope.testMode}::boolean, uuid_v7(e.created_at), w.webhook_id, w.listener_id, e.id, 'waiting',
        e.created_at
      from unnest(${ids}::uuid[], ${types}::text[], ${moments}::bigint[]) as e (id, type, created_at)
      join (${toHearers(scope, webhookId)}) w on e.type = any(w.events)`;
    return { compile: () => query.compile(db) };
  },
);

/** The events are new, so that all their deliveries are. */
const dueDeliveries = keepQuery((db, { ids, orderIds, ...scope }: Scope & Pick<Told, 'ids' | 'orderIds'>) => {
  const query = sql`
      insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms, lane, queue, place)
      select ${scope.workspaceId}::uuid, ${scope.testMode}::boolean, 'deliver_webhook', d.id, d.created_at, d.created_at - s.clock_offset_ms,
        d.webhook_id, e.order_id, case when e.order_id is not null then e.id end
      from webhook_deliveries d
      join unnest(${ids}::uuid[], ${orderIds}::uuid[]) as e (id, order_id) on e.id = d.event_id
      join stores s on ${inScope(scope, 's')}
      where ${inScope(scope, 'd')} and d.event_id = any(${ids}::uuid[]) and d.webhook_id is not null`;
  return { compile: () => query.compile(db) };
});

const mails = keepQuery((db, { rows, ...scope }: Scope & { rows: BuyerMailRow[] }) => {
  const query = toBuyerMailInsertion(scope, rows);
  return { compile: () => query.compile(db) };
});

/** A mail's key is its event, which is new. */
const dueMails = keepQuery((db, { ids, ...scope }: Scope & Pick<Told, 'ids'>) => {
  const query = sql`
    insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms)
    select ${scope.workspaceId}::uuid, ${scope.testMode}::boolean, 'send_mail', m.id, m.created_at, m.created_at - s.clock_offset_ms
    from mails m join stores s on ${inScope(scope, 's')}
    where ${inScope(scope, 'm')} and m.key = any(${ids}::text[])`;
  return { compile: () => query.compile(db) };
});

/** Asks for all of them at once: nothing is read in between. */
export async function insertEventsApart(
  tx: Tx,
  scope: Scope,
  { rows, webhookId }: { rows: NewEventRow[] } & Only,
): Promise<void> {
  const own = scopeColumns(scope);
  const ids = rows.map(({ id }) => id);
  const types = rows.map(({ type }) => type);
  const moments = rows.map(({ createdAt }) => createdAt);
  const orderIds = rows.map(({ orderId }) => orderId);
  const mailRows = toBuyerMails(rows);
  const keys = mailRows.map(({ key }) => key);
  await Promise.all([
    events(tx, { ...own, rows }),
    deliveries(tx, { ...own, ids, types, moments, webhookId }),
    dueDeliveries(tx, { ...own, ids, orderIds }),
    ...(mailRows.length > 0
      ? [mails(tx, { ...own, rows: mailRows }), dueMails(tx, { ...own, ids: keys })]
      : []),
  ]);
}
