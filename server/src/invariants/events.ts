/** Invariants 16, 23 and 26: what was told, of what has happened. */
import { SUBSCRIPTION } from '../domain/states/subscription.ts';
import { CAPTURED_SQL, type Invariant, isStillKept, sameStore } from './invariant.ts';

/** The moves of a subscription as pairs: (from, to). */
const MOVES_SQL = Object.entries(SUBSCRIPTION.moves)
  .flatMap(([from, tos]) => tos.map((to) => `('${from}', '${to}')`))
  .join(', ');

/** What retention had let go of, and somebody has put back, is another row than the one that was written. */
const WAS_NEVER_AWAY = (['event_bodies', 'events'] as const)
  .map((kept) => isStillKept(kept, 'e', 'e.created_at'))
  .join(' and ');

export const EVENTS: readonly Invariant[] = [
  {
    number: 16,
    name: 'the last event of a subscription tells its status',
    sql: `
      select s.workspace_id, s.test_mode, s.id, s.number, s.status, e.body::json #>> '{data,subscription,status}' as told
      from subscriptions s
      join events e on ${sameStore('e', 's')} and e.entity_id = s.id and e.entity_version = s.version
        and e.type = case s.version when 0 then 'subscription_created' else 'subscription_updated' end
      where e.body is not null and e.body::json #>> '{data,subscription,status}' is distinct from s.status`,
  },
  {
    number: 16,
    name: 'what is told of a subscription, one after the other, are moves of its table',
    sql: `
      select told.* from (
        select workspace_id, test_mode, entity_id, entity_version, status,
          coalesce(lag(status) over (partition by workspace_id, test_mode, entity_id order by entity_version),
            case when type = 'subscription_created' or body is null or is_brought then status end) as before,
          -- The body of this one, or of the one before, was let go, or the one before as a whole.
          body is null or lag(body is null, 1, type <> 'subscription_created')
            over (partition by workspace_id, test_mode, entity_id order by entity_version) as is_cut
        from (
          select *, body::json #>> '{data,subscription,status}' as status,
            -- Of what was imported nothing is told before it is activated.
            exists (select from subscriptions s where ${sameStore('s', 'events')} and s.id = events.entity_id
              and s.brought_by is not null) as is_brought
          from events
          -- A test event is of no subscription.
          where type in ('subscription_created', 'subscription_updated') and entity_id = subscription_id
        ) e
      ) told
      where (told.before is distinct from told.status and (told.before, told.status) not in (${MOVES_SQL})
        or told.before is null) and not (told.is_cut and exists (select from retention_marks mark
          where ${sameStore('mark', 'told')} and mark.kept in ('event_bodies', 'events')))`,
  },
  {
    number: 16,
    name: 'a subscription is told to be cancelled once, exactly when it is',
    sql: `
      select s.workspace_id, s.test_mode, s.id, s.number, s.status, count(e.id) as told
      from subscriptions s
      left join events e on ${sameStore('e', 's')} and e.subscription_id = s.id and e.type = 'subscription_cancelled'
      where s.ended_at is null or ${isStillKept('events', 's', 's.ended_at')}
      group by s.workspace_id, s.test_mode, s.id, s.number, s.status
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
      where not exists (select from pg_constraint k where k.conrelid = 'public.events'::regclass and k.contype = 'u'
        and pg_get_constraintdef(k.oid) = 'UNIQUE ' || wanted.columns)`,
  },
  {
    number: 23,
    // Every change that is told counts the version up, so that a missing event leaves a hole.
    name: 'each change of a subscription, from its beginning on, is told',
    sql: `
      select s.workspace_id, s.test_mode, s.id, s.number, s.version, coalesce(e.told, 0) as told
      from subscriptions s
      left join (
        select workspace_id, test_mode, entity_id, count(distinct entity_version) as told,
          min(entity_version) as since, count(*) filter (where type = 'subscription_created' and entity_version = 0) as created
        from events where type in ('subscription_created', 'subscription_updated')
        group by workspace_id, test_mode, entity_id
      ) e on ${sameStore('e', 's')} and e.entity_id = s.id
      where (case when s.brought_by is null then e.created is distinct from 1 or e.told <> s.version + 1
          when s.waiting then e.told > 0
          -- What was imported is told of from its activation on; one that ended before has its end alone.
          else e.told is null and s.ended_at is null or e.created > 0 or e.told <> s.version - e.since + 1 end)
        and ${isStillKept('events', 's', 's.created_at')}`,
  },
  {
    number: 23,
    name: 'what happened is told with its own moment',
    sql: `
      select * from (
        select workspace_id, test_mode, id, 'payment_success' as type, id as entity_id, paid_at as at_ms
        from payments where status in ${CAPTURED_SQL} and paid_elsewhere is null
        union all
        select workspace_id, test_mode, id, 'payment_refunded', payment_id, settled_at
        from refunds where status = 'succeeded'
        union all
        select workspace_id, test_mode, id, 'subscription_created', id, created_at
        from subscriptions where brought_by is null
        union all
        select workspace_id, test_mode, id, 'subscription_cancelled', id, ended_at
        from subscriptions where status = 'canceled'
      ) c
      where not exists (select from events e where ${sameStore('e', 'c')} and e.entity_id = c.entity_id
        and e.type = c.type and e.created_at = c.at_ms)
        and ${isStillKept('events', 'c', 'c.at_ms')}`,
  },
  {
    number: 23,
    name: 'a renewal that is paid is told as one, once',
    sql: `
      select p.workspace_id, p.test_mode, p.id, p.number, p.type, p.status, e.told
      from payments p
      left join (
        select workspace_id, test_mode, entity_id, count(*) as told from events where type = 'subscription_interval'
        group by workspace_id, test_mode, entity_id
      ) e on ${sameStore('e', 'p')} and e.entity_id = p.id
      where coalesce(e.told, 0)
        <> case when p.type = 'subscription_interval' and p.status in ${CAPTURED_SQL} then 1 else 0 end
        and (p.paid_at is null or ${isStillKept('events', 'p', 'p.paid_at')})`,
  },
  {
    number: 23,
    // A charge that was stopped is no decline, and one that ended after its payment had closed or was paid changed
    // nothing. Of a payment one charge runs at a time: what began before the one that paid had ended.
    name: 'each charge that failed is told',
    sql: `
      select c.workspace_id, c.test_mode, c.id, c.payment_id, c.decline_reason, c.settled_at
      from charges c join payments p on ${sameStore('p', 'c')} and p.id = c.payment_id
      where c.status = 'failed' and c.decline_reason is distinct from 'canceled'
        and p.status not in ('CANCELLED', 'EXPIRED')
        and (p.paid_at is null or exists (select from charges paying where ${sameStore('paying', 'c')}
          and paying.payment_id = c.payment_id and paying.status = 'succeeded' and paying.created_at > c.created_at))
        and not exists (select from events e where ${sameStore('e', 'c')} and e.entity_id = c.payment_id
          and e.type = 'payment_failed' and e.created_at = c.settled_at)
        and ${isStillKept('events', 'c', 'c.settled_at')}`,
  },
  {
    number: 23,
    // Money that comes late settles its charge anew.
    name: 'each failure that is told is of a charge that failed',
    sql: `
      select e.workspace_id, e.test_mode, e.id, e.payment_id, e.created_at from events e
      where e.type = 'payment_failed' and e.entity_id = e.payment_id
        and not exists (select from charges c where ${sameStore('c', 'e')} and c.payment_id = e.payment_id
          and (c.settled_at = e.created_at or c.status = 'succeeded' and c.created_at <= e.created_at))`,
  },
  {
    number: 23,
    // Rows that a dump has brought back share no transaction with each other: of those nothing can be said.
    name: 'money that came is told in the transaction that posted it',
    sql: `
      select l.workspace_id, l.test_mode, l.payment_id, l.entry_id, l.xmin::text as posted_in, e.xmin::text as told_in
      from charges c
      join ledger_entries l on ${sameStore('l', 'c')} and l.source_id = c.id and l.kind = 'charge'
        and l.xmin = c.xmin
      join events e on ${sameStore('e', 'c')} and e.entity_id = c.payment_id and e.type = 'payment_success'
      -- What an erased user is told of by was written anew, and so was what has lost its body.
      where e.xmin <> l.xmin and e.erased_at is null and e.body is not null and ${WAS_NEVER_AWAY}`,
  },
  {
    number: 23,
    name: 'money that went back is told in the transaction that posted it',
    sql: `
      select l.workspace_id, l.test_mode, l.payment_id, l.entry_id, l.xmin::text as posted_in, e.xmin::text as told_in
      from refunds r
      join ledger_entries l on ${sameStore('l', 'r')} and l.source_id = r.id and l.kind = 'refund'
        and l.xmin = r.xmin
      join events e on ${sameStore('e', 'r')} and e.entity_id = r.payment_id and e.type = 'payment_refunded'
        and e.body::json #>> '{data,refund,id}' = r.id::text
      -- What an erased user is told of by was written anew.
      where e.xmin <> l.xmin and e.erased_at is null and ${WAS_NEVER_AWAY}`,
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
        and (select count(*) from mails m where ${sameStore('m', 'e')} and m.key = e.id::text) <> 1
        and ${isStillKept('mails', 'e', 'e.created_at')}`,
  },
  {
    number: 26,
    name: 'a payment is told to be paid once, exactly when it was',
    sql: `
      select p.workspace_id, p.test_mode, p.id, p.number, p.status, count(e.id) as told
      from payments p
      left join events e on ${sameStore('e', 'p')} and e.type = 'payment_success' and e.entity_id = p.id
      where p.paid_at is null or ${isStillKept('events', 'p', 'p.paid_at')}
      group by p.workspace_id, p.test_mode, p.id, p.number, p.status, p.paid_elsewhere
      having count(e.id) <> case when p.status in ${CAPTURED_SQL} and p.paid_elsewhere is null then 1 else 0 end`,
  },
  {
    number: 26,
    name: 'every refund of a payment is told once',
    sql: `
      select workspace_id, test_mode, payment_id, sum(told) as told, sum(refunds) as refunds from (
        select workspace_id, test_mode, payment_id, 1 as told, 0 as refunds from events
        -- A test event is of no payment.
        where type = 'payment_refunded' and payment_id is not null and ${isStillKept('events', 'events', 'created_at')}
        union all
        select workspace_id, test_mode, payment_id, 0, 1 from refunds
        where status = 'succeeded' and ${isStillKept('events', 'refunds', 'settled_at')}
      ) each_one
      group by workspace_id, test_mode, payment_id having sum(told) <> sum(refunds)`,
  },
];
