/** Invariants 11 to 15: periods and subscriptions. */
import { CAPTURED_SQL, type Invariant, sameStore, uniqueIndexStands } from './invariant.ts';

/** Mean lengths of the Gregorian calendar, only to guess near which boundary a moment lies. */
const MEAN_MS = `case s.recurring_interval when 'day' then 86400000 when 'week' then 604800000
  when 'month' then 2629746000 else 31556952000 end`;

/** Whether a moment is a boundary of the calendar of subscription `s`: computed from the anchor, in UTC. */
function isBoundary(atMs: string): string {
  return `exists (
    select from generate_series(-1, 1) as near
    cross join lateral (select round((${atMs} - s.anchor_at)
      / (${MEAN_MS} * s.recurring_interval_count)::numeric)::integer + near as n) guess
    where ${atMs} = (extract(epoch from timestamp 'epoch' + s.anchor_at * interval '1 millisecond'
      + guess.n * s.recurring_interval_count * ('1 ' || s.recurring_interval)::interval) * 1000)::bigint)`;
}

/**
 * Whether subscription `s` was told to be paused or unpaid at a moment between the two, or its workspace was archived after
 * the first: periods go by then.
 */
function stoodStill(fromMs: string, toMs: string): string {
  return `(coalesce(s.stood_still_until >= ${fromMs}, false) or exists (
    select from (
      select e.body::json #>> '{data,subscription,status}' as status, e.created_at as since,
        coalesce(lead(e.created_at) over (order by e.entity_version), ${toMs}) as until
      from events e where ${sameStore('e', 's')} and e.entity_id = s.id and e.type = 'subscription_updated'
    ) told
    where told.status in ('paused', 'unpaid') and told.since <= ${toMs} and told.until >= ${fromMs}))`;
}

const SUBSCRIPTION_IDS = 's.workspace_id, s.test_mode, s.id, s.number, s.status';

export const PERIODS: readonly Invariant[] = [
  {
    number: 11,
    name: 'no period of a subscription has two payments',
    sql: `
      select workspace_id, test_mode, subscription_id, period_start, count(*) as payments from payments
      where type = 'subscription_interval'
      group by workspace_id, test_mode, subscription_id, period_start having count(*) > 1`,
  },
  {
    number: 11,
    name: 'the key that gives a period one payment stands',
    sql: uniqueIndexStands('payments_one_per_period'),
  },
  {
    number: 12,
    name: 'periods that were billed since the anchor do not overlap',
    sql: `
      select n.* from (
        select p.workspace_id, p.test_mode, p.subscription_id, p.number, p.period_start, p.period_end,
          lag(p.period_end) over (partition by p.workspace_id, p.test_mode, p.subscription_id
            order by p.period_start) as before_end
        from payments p
        join subscriptions s on ${sameStore('s', 'p')} and s.id = p.subscription_id
        where p.type = 'subscription_interval' and p.period_start >= s.anchor_at
      ) n where n.period_start < n.before_end or n.period_end <= n.period_start`,
  },
  {
    number: 12,
    // A pause and a time of being unpaid go by without payments.
    name: 'between periods that were billed since the anchor there is no hole, unless nothing was to be billed',
    sql: `
      select n.* from (
        select p.workspace_id, p.test_mode, p.subscription_id, p.number, p.period_start,
          lag(p.period_end) over (partition by p.workspace_id, p.test_mode, p.subscription_id
            order by p.period_start) as before_end
        from payments p
        join subscriptions s on ${sameStore('s', 'p')} and s.id = p.subscription_id
        where p.type = 'subscription_interval' and p.period_start >= s.anchor_at
      ) n
      join subscriptions s on ${sameStore('s', 'n')} and s.id = n.subscription_id
      where n.period_start > n.before_end and not ${stoodStill('n.before_end', 'n.period_start')}`,
  },
  {
    number: 13,
    // A first period may begin before the anchor, and so does a trial.
    name: 'the running period lies between boundaries of the anchor',
    sql: `
      select ${SUBSCRIPTION_IDS}, s.anchor_at, s.current_interval_start, s.current_interval_end,
        s.recurring_interval, s.recurring_interval_count
      from subscriptions s
      where s.status in ('trialing', 'active', 'past_due', 'unpaid', 'paused') and (
        not coalesce(${isBoundary('s.current_interval_end')}, false)
        or (s.current_interval_start >= s.anchor_at and not ${isBoundary('s.current_interval_start')})
        or s.current_interval_start >= s.current_interval_end)`,
  },
  {
    number: 13,
    name: 'each period that was billed since the anchor lies between boundaries of it',
    sql: `
      select ${SUBSCRIPTION_IDS}, p.id as payment_id, s.anchor_at, p.period_start, p.period_end
      from subscriptions s
      join payments p on ${sameStore('p', 's')} and p.subscription_id = s.id
        and p.type = 'subscription_interval' and p.period_start >= s.anchor_at
      where not ${isBoundary('p.period_start')} or not coalesce(${isBoundary('p.period_end')}, false)`,
  },
  {
    number: 14,
    name: 'a subscription that owes says so: past_due and unpaid have an interval payment that is open',
    sql: `
      select ${SUBSCRIPTION_IDS} from subscriptions s
      where s.status in ('past_due', 'unpaid') and not exists (select from payments p
        where ${sameStore('p', 's')} and p.subscription_id = s.id and p.type = 'subscription_interval'
          and p.status in ('PENDING', 'FAILED', 'UNPAID'))`,
  },
  {
    number: 14,
    name: 'a subscription is past due while its run of retries lasts, and unpaid when it is over',
    sql: `
      select ${SUBSCRIPTION_IDS}, s.dunning_started_at, s.retry_at from subscriptions s
      where (s.status = 'past_due' and (s.dunning_started_at is null or s.retry_at is null and not exists (
          select from payments p where ${sameStore('p', 's')} and p.subscription_id = s.id
            and p.type = 'subscription_interval' and p.status = 'PENDING')))
        or (s.status = 'unpaid' and (s.dunning_started_at is null or s.retry_at is not null))
        or (s.status in ('trialing', 'active') and s.dunning_started_at is not null)`,
  },
  {
    number: 14,
    name: 'nothing is owed for a subscription that has ended',
    sql: `
      select ${SUBSCRIPTION_IDS}, p.id as payment_id, p.status as payment_status
      from subscriptions s
      join payments p on ${sameStore('p', 's')} and p.subscription_id = s.id and p.status in ('FAILED', 'UNPAID')
      where s.status in ('canceled', 'incomplete_expired')`,
  },
  {
    number: 14,
    name: 'no payment is made after a subscription has ended',
    sql: `
      select ${SUBSCRIPTION_IDS}, s.ended_at, p.id as payment_id, p.created_at
      from subscriptions s
      join payments p on ${sameStore('p', 's')} and p.subscription_id = s.id and p.created_at > s.ended_at
      where s.status in ('canceled', 'incomplete_expired')`,
  },
  {
    number: 14,
    name: 'a subscription has an end exactly when it has ended',
    sql: `
      select ${SUBSCRIPTION_IDS}, s.ended_at from subscriptions s
      where (s.ended_at is not null) <> (s.status in ('canceled', 'incomplete_expired'))`,
  },
  {
    number: 14,
    name: 'a trial is not charged for',
    sql: `
      select ${SUBSCRIPTION_IDS}, s.trial_end, p.id as payment_id, p.period_start
      from subscriptions s
      join payments p on ${sameStore('p', 's')} and p.subscription_id = s.id
        and p.type = 'subscription_interval' and p.status in ${CAPTURED_SQL} and p.period_start < s.trial_end
      where s.status = 'trialing'`,
  },
  {
    number: 15,
    name: 'a subscription that runs owes for no period: a payment is made, or is being made',
    sql: `
      select ${SUBSCRIPTION_IDS}, p.id as payment_id, p.status as payment_status
      from subscriptions s
      join payments p on ${sameStore('p', 's')} and p.subscription_id = s.id
        and p.type = 'subscription_interval' and p.status in ('FAILED', 'UNPAID')
      where s.status in ('active', 'trialing')`,
  },
  {
    number: 15,
    // One that was called off by the merchant counts: the period was billed.
    name: 'the running period of an active subscription was billed, unless it was paused or unpaid',
    sql: `
      select ${SUBSCRIPTION_IDS}, s.current_interval_start, s.current_interval_end from subscriptions s
      where s.status = 'active'
        and not exists (select from payments p where ${sameStore('p', 's')} and p.subscription_id = s.id
          and p.type in ('subscription_initial', 'subscription_interval', 'subscription_update')
          and p.period_start = s.current_interval_start)
        and not ${stoodStill('s.current_interval_start', 's.current_interval_end')}`,
  },
];
