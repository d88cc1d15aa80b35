/** Invariants 16 and 23 to 27: events and their deliveries. */
import { CAPTURED_SQL, type Invariant, sameStore } from './invariant.ts';

const FIVE_MINUTES_MS = 300_000;

export const EVENTS: readonly Invariant[] = [
  {
    number: 16,
    name: 'the last event of a subscription tells its status',
    sql: `
      select s.workspace_id, s.test_mode, s.id, s.number, s.status, last.told
      from subscriptions s
      join lateral (
        select e.body::jsonb #>> '{data,subscription,status}' as told from events e
        where ${sameStore('e', 's')} and e.subscription_id = s.id and e.entity_id = s.id
        order by e.entity_version desc, e.created_at desc, e.id desc limit 1
      ) last on last.told is distinct from s.status`,
  },
  {
    number: 16,
    name: 'a subscription is told to be cancelled once, exactly when it is',
    sql: `
      select s.workspace_id, s.test_mode, s.id, s.number, s.status, count(e.id) as told
      from subscriptions s
      left join events e on ${sameStore('e', 's')} and e.subscription_id = s.id and e.type = 'subscription_cancelled'
      group by s.workspace_id, s.test_mode, s.id
      having count(e.id) <> case s.status when 'canceled' then 1 else 0 end`,
  },
  {
    number: 23,
    name: 'a change is told once, and by one that has happened',
    sql: `
      select e.workspace_id, e.test_mode, e.id, e.type, e.entity_id, e.entity_version,
        coalesce(p.version, s.version) as version
      from events e
      left join payments p on ${sameStore('p', 'e')} and p.id = e.entity_id
      left join subscriptions s on ${sameStore('s', 'e')} and s.id = e.entity_id
      where coalesce(p.version, s.version) < e.entity_version`,
  },
  {
    number: 23,
    name: 'the key that lets a change be told once stands',
    sql: `
      select wanted.columns from (values
        ('(workspace_id, test_mode, entity_id, type, entity_version)')) as wanted (columns)
      where not exists (select from pg_constraint k where k.conrelid = 'events'::regclass and k.contype = 'u'
        and pg_get_constraintdef(k.oid) = 'UNIQUE ' || wanted.columns)`,
  },
  {
    number: 24,
    name: 'a delivery waits exactly when its next attempt is due',
    sql: `
      select d.workspace_id, d.test_mode, d.id, d.status, w.due_ms
      from webhook_deliveries d
      left join due_work w on ${sameStore('w', 'd')} and w.kind = 'deliver_webhook' and w.ref_id = d.id
      where d.status = 'waiting' and w.ref_id is null`,
  },
  {
    number: 24,
    name: 'a delivery that was given up says why',
    sql: `
      select workspace_id, test_mode, id, status from webhook_deliveries
      where status in ('failed', 'dropped') and reason is null`,
  },
  {
    number: 24,
    name: 'no delivery is overdue by more than five minutes',
    sql: `
      select workspace_id, test_mode, ref_id, due_real_ms from due_work
      where kind = 'deliver_webhook' and due_real_ms < real_now_ms() - ${FIVE_MINUTES_MS}
        and (lease_until_ms is null or lease_until_ms < real_now_ms())`,
  },
  {
    number: 24,
    name: 'a mail is queued exactly when its sending is due',
    sql: `
      select m.workspace_id, m.test_mode, m.id, m.kind, m.status, w.due_ms
      from mails m
      left join due_work w on ${sameStore('w', 'm')} and w.kind = 'send_mail' and w.ref_id = m.id
      where (m.status = 'queued') <> (w.ref_id is not null)`,
  },
  {
    number: 26,
    name: 'who paid was told so by one mail, unless the subscription holds mails back',
    sql: `
      select e.workspace_id, e.test_mode, e.id, e.order_id
      from events e
      join orders o on ${sameStore('o', 'e')} and o.id = e.order_id
      join users u on ${sameStore('u', 'o')} and u.id = o.user_id and u.email is not null
      left join subscriptions s on ${sameStore('s', 'o')} and s.id = o.subscription_id
      where e.type = 'payment_success' and not coalesce(s.skip_notifications, false)
        and (select count(*) from mails m where ${sameStore('m', 'e')} and m.key = e.id::text) <> 1`,
  },
  {
    number: 25,
    name: 'the attempts of a delivery are counted from 0 without holes, one after the other',
    sql: `
      select n.* from (
        select workspace_id, test_mode, delivery_id, sequence, created_at,
          row_number() over earlier - 1 as place, lag(created_at) over earlier as before_at
        from webhook_attempts
        window earlier as (partition by workspace_id, test_mode, delivery_id order by sequence)
      ) n where n.sequence <> n.place or n.created_at < n.before_at`,
  },
  {
    number: 25,
    name: 'a delivery ends with the attempt that was taken, and with no other',
    sql: `
      select d.workspace_id, d.test_mode, d.id, d.status, d.attempt_count, count(a.id) as attempts,
        count(a.id) filter (where a.status_code between 200 and 299) as taken
      from webhook_deliveries d left join webhook_attempts a on ${sameStore('a', 'd')} and a.delivery_id = d.id
      group by d.workspace_id, d.test_mode, d.id
      having count(a.id) <> d.attempt_count
        or count(a.id) filter (where a.status_code between 200 and 299)
          <> case d.status when 'delivered' then 1 else 0 end
        or max(a.sequence) filter (where a.status_code between 200 and 299) < max(a.sequence)`,
  },
  {
    number: 26,
    name: 'a payment is told to be paid once, exactly when it was',
    sql: `
      select p.workspace_id, p.test_mode, p.id, p.number, p.status, count(e.id) as told
      from payments p
      left join events e on ${sameStore('e', 'p')} and e.type = 'payment_success' and e.entity_id = p.id
      group by p.workspace_id, p.test_mode, p.id
      having count(e.id) <> case when p.status in ${CAPTURED_SQL} then 1 else 0 end`,
  },
  {
    number: 26,
    name: 'every refund of a payment is told once',
    sql: `
      select workspace_id, test_mode, payment_id, sum(told) as told, sum(refunds) as refunds from (
        select workspace_id, test_mode, payment_id, 1 as told, 0 as refunds from events
        -- A test event is of no payment.
        where type = 'payment_refunded' and payment_id is not null
        union all
        select workspace_id, test_mode, payment_id, 0, 1 from refunds where status = 'succeeded'
      ) each_one
      group by workspace_id, test_mode, payment_id having sum(told) <> sum(refunds)`,
  },
  {
    number: 27,
    name: 'no attempt reached an address that is not allowed',
    sql: `
      select address, min(workspace_id::text) as workspace_id, min(id::text) as id from webhook_attempts
      where address is not null and error is distinct from 'blocked' group by address`,
    isFine: ({ address }, guard) => guard.isAllowed(String(address)),
  },
];
