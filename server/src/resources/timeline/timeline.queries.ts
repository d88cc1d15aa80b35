/** All that happened around one object, from every table that tells of it; a page's worth of each. */

import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { EntryRow, EntryType } from '../../domain/timeline.ts';

/** What a timeline is of, by the ids under which it is told of. */
export interface Subject {
  object: 'order' | 'payment' | 'subscription' | 'user';
  id: string;
  /** As audit rows may name it: by id or number. */
  names: string[];
  orderIds: string[];
  paymentIds: string[];
  email: string | null;
}

/** Payments and orders of a subject that are looked at: the newest. */
const PARTS_MAX = 100;

type Found = Omit<Subject, 'object'>;

export async function findSubject(
  db: Db,
  scope: Scope,
  { object, by }: { object: Subject['object']; by: { id: string } | { number: string } },
): Promise<Subject | undefined> {
  const found = await SUBJECTS[object](db, scope, by);
  return found && { object, ...found };
}

type Find = (db: Db, scope: Scope, by: { id: string } | { number: string }) => Promise<Found | undefined>;

const key = (alias: string, by: { id: string } | { number: string }) =>
  'id' in by
    ? sql`${sql.ref(`${alias}.id`)} = ${by.id}::uuid`
    : sql`${sql.ref(`${alias}.number`)} = ${by.number}`;

const payments = (scope: Scope, condition: RawBuilder<unknown>) => sql`array(
  select p.id from payments p where ${inScope(scope, 'p')} and ${condition}
  order by p.created_at desc limit ${PARTS_MAX})`;

async function first(db: Db, query: RawBuilder<Found>): Promise<Found | undefined> {
  const [row] = (await query.execute(db)).rows;
  return row;
}

const SUBJECTS: Record<Subject['object'], Find> = {
  order: (db, scope, by) =>
    first(
      db,
      sql<Found>`select o.id, array[o.id::text, o.number] as names, array[o.id] as order_ids,
          ${payments(scope, sql`p.order_id = o.id`)} as payment_ids, null::text as email
        from orders o where ${inScope(scope, 'o')} and ${key('o', by)}`,
    ),
  payment: (db, scope, by) =>
    first(
      db,
      sql<Found>`select y.id, array[y.id::text, y.number] as names, array[]::uuid[] as order_ids,
          array[y.id] as payment_ids, null::text as email
        from payments y where ${inScope(scope, 'y')} and ${key('y', by)}`,
    ),
  subscription: (db, scope, by) =>
    first(
      db,
      sql<Found>`select s.id, array[s.id::text, s.number] as names, array[s.order_id] as order_ids,
          ${payments(scope, sql`p.subscription_id = s.id`)} as payment_ids, null::text as email
        from subscriptions s where ${inScope(scope, 's')} and ${key('s', by)}`,
    ),
  user: async (db, scope, by) =>
    'number' in by
      ? undefined
      : first(
          db,
          sql<Found>`select u.id, array[u.id::text] as names, array(
              select o.id from orders o where ${inScope(scope, 'o')} and o.user_id = u.id
              order by o.created_at desc, o.id desc limit ${PARTS_MAX}) as order_ids,
              ${payments(scope, sql`p.user_id = u.id`)} as payment_ids, u.email
            from users u where ${inScope(scope, 'u')} and u.id = ${by.id}::uuid`,
        ),
};

interface Asking {
  subject: Subject;
  types: readonly EntryType[];
  /** The entry after which the page begins; null = the newest. */
  after: { at: number; id: string } | null;
  limit: number;
}

/** The newest entries of all that is asked for, in one order. */
export async function listEntriesOf(db: Db, scope: Scope, asking: Asking): Promise<EntryRow[]> {
  const parts = asking.types.map(
    (type) => sql`select * from (${SOURCES[type](scope, asking)}) part (type, id, at, title, actor, data)`,
  );
  if (parts.length === 0) return [];
  const { rows } = await sql<EntryRow>`select * from (${sql.join(parts, sql` union all `)}) entries
    order by at desc, id desc limit ${asking.limit}`.execute(db);
  return rows;
}

/** Newest first, after the entry that was shown last, and no more than a page. */
function cut(
  { after, limit }: Asking,
  at: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): {
  later: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
} {
  return {
    later: after === null ? sql`true` : sql`(${at}, ${id}) < (${after.at}, ${after.id}::uuid)`,
    order: sql`order by ${at} desc, ${id} desc limit ${limit}`,
  };
}

const eventsOf = ({ object, id, orderIds, paymentIds }: Subject) => {
  if (object === 'subscription') return sql`e.subscription_id = ${id}::uuid`;
  return object === 'payment'
    ? sql`e.payment_id = any(${paymentIds}::uuid[])`
    : sql`e.order_id = any(${orderIds}::uuid[])`;
};

const SOURCES: Record<EntryType, (scope: Scope, asking: Asking) => RawBuilder<unknown>> = {
  event: (scope, asking) => {
    const { later, order } = cut(asking, sql`e.created_at`, sql`e.id`);
    return sql`select 'event' as type, e.id, e.created_at as at, e.type as title, null::text as actor,
        jsonb_build_object('type', e.type, 'orderId', e.order_id, 'paymentId', e.payment_id) as data
      from events e where ${inScope(scope, 'e')} and ${eventsOf(asking.subject)} and ${later} ${order}`;
  },
  charge: (scope, asking) => {
    const { later, order } = cut(asking, sql`c.created_at`, sql`c.id`);
    return sql`select 'charge', c.id, c.created_at, 'charge ' || c.status, null, jsonb_build_object(
        'status', c.status, 'amount', c.amount, 'currency', c.currency, 'paymentId', c.payment_id,
        'declineReason', c.decline_reason, 'hold', c.hold, 'reversedAt', c.reversed_at)
      from charges c where ${inScope(scope, 'c')} and c.payment_id = any(${asking.subject.paymentIds}::uuid[])
        and c.amount > 0 and ${later} ${order}`;
  },
  refund: (scope, asking) => {
    const { later, order } = cut(asking, sql`r.created_at`, sql`r.id`);
    return sql`select 'refund', r.id, r.created_at, 'refund ' || r.status, null, jsonb_build_object(
        'status', r.status, 'amount', r.amount, 'currency', r.currency, 'paymentId', r.payment_id,
        'reason', r.reason, 'creditNoteNumber', r.credit_note_number)
      from refunds r where ${inScope(scope, 'r')} and r.payment_id = any(${asking.subject.paymentIds}::uuid[])
        and ${later} ${order}`;
  },
  dispute: (scope, asking) => {
    const { later, order } = cut(asking, sql`d.opened_at`, sql`d.id`);
    return sql`select 'dispute', d.id, d.opened_at, 'dispute ' || d.status, null, jsonb_build_object(
        'status', d.status, 'amount', d.amount, 'currency', d.currency, 'paymentId', d.payment_id,
        'reason', d.reason, 'closedAt', d.closed_at)
      from disputes d where ${inScope(scope, 'd')} and d.payment_id = any(${asking.subject.paymentIds}::uuid[])
        and ${later} ${order}`;
  },
  mail: (scope, asking) => {
    const { object, orderIds, paymentIds, email, id } = asking.subject;
    const { later, order } = cut(asking, sql`m.created_at`, sql`m.id`);
    const ofPayments = sql`m.payment_id = any(${paymentIds}::uuid[]) and m.order_id in (
      select p.order_id from payments p where ${inScope(scope, 'p')} and p.id = any(${paymentIds}::uuid[]))`;
    const condition = {
      order: sql`m.order_id = any(${orderIds}::uuid[])`,
      payment: ofPayments,
      subscription: sql`m.order_id = any(${orderIds}::uuid[]) and m.subscription_id = ${id}::uuid`,
      user: sql`lower(m.recipient) = lower(${email})`,
    }[object];
    return sql`select 'mail', m.id, m.created_at, coalesce(m.subject, m.kind), null, jsonb_build_object(
        'kind', m.kind, 'to', m.recipient, 'status', m.status)
      from mails m where ${inScope(scope, 'm')} and ${condition} and ${later} ${order}`;
  },
  delivery: (scope, asking) => {
    const { later, order } = cut(asking, sql`d.created_at`, sql`d.id`);
    return sql`select 'delivery', d.id, d.created_at, e.type || ' ' || d.status, null, jsonb_build_object(
        'status', d.status, 'reason', d.reason, 'eventId', d.event_id, 'webhookId', d.webhook_id,
        'listenerId', d.listener_id,
        'attempts', d.attempt_count)
      from events e
      join webhook_deliveries d on ${inScope(scope, 'd')} and d.event_id = e.id
      where ${inScope(scope, 'e')} and ${eventsOf(asking.subject)} and ${later} ${order}`;
  },
  audit: (scope, asking) => {
    const { later, order } = cut(asking, sql`a.created_at`, sql`a.id`);
    return sql`select 'audit', a.id, a.created_at, a.operation, a.actor, jsonb_build_object(
        'operation', a.operation, 'requestId', a.request_id)
      from audit_log a where ${inScope(scope, 'a')} and a.object_id = any(${asking.subject.names}::text[])
        and ${later} ${order}`;
  },
  note: (scope, asking) => {
    const { later, order } = cut(asking, sql`n.created_at`, sql`n.id`);
    return sql`select 'note', n.id, n.created_at, n.text, n.author, '{}'::jsonb
      from notes n where ${inScope(scope, 'n')} and n.object_id = ${asking.subject.id}::uuid and ${later} ${order}`;
  },
};
