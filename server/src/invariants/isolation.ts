/** Invariants 28 to 34: isolation, keys, jobs. */
import { type Invariant, sameStore } from './invariant.ts';

const LATE_LEASE_MS = 60_000;
/** The 24 h that an answer is kept, and an hour in which a sweep has had its turn many times. */
const KEY_AGE_MAX_MS = 25 * 3_600_000;

/** References between tables that both have the column, of which one side leaves it out. */
function findLooseReferences(column: string): string {
  const has = (table: string) => `exists (select from pg_attribute a
    where a.attrelid = k.${table} and a.attname = '${column}' and not a.attisdropped)`;
  const uses = (table: string, keys: string) => `exists (select from pg_attribute a
    where a.attrelid = k.${table} and a.attname = '${column}' and a.attnum = any(k.${keys}))`;
  return `
    select k.conrelid::regclass::text as table_name, k.conname as name from pg_constraint k
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
      and ${has('conrelid')} and ${has('confrelid')}
      and not (${uses('conrelid', 'conkey')} and ${uses('confrelid', 'confkey')})`;
}

export const ISOLATION: readonly Invariant[] = [
  {
    number: 28,
    name: 'no row can point into another workspace',
    sql: findLooseReferences('workspace_id'),
  },
  {
    number: 29,
    name: 'no key of a request has been running for longer than a request may',
    sql: `
      select workspace_id, test_mode, key, lease_until from idempotency_keys
      where response is null and lease_until > real_now_ms() + 120000`,
  },
  {
    number: 29,
    name: 'no key of a request is kept for longer than its time',
    isOfNow: true,
    // While the installation is held nothing is deleted.
    sql: `
      select workspace_id, test_mode, key, created_at from idempotency_keys
      where created_at < real_now_ms() - ${KEY_AGE_MAX_MS} and lease_until < real_now_ms() - ${LATE_LEASE_MS}
        and (select held_since from installation_state) is null`,
  },
  {
    number: 29,
    name: 'money is given back under one key of a request',
    sql: `
      select k.workspace_id, k.test_mode, k.resource_id, count(*) as keys
      from idempotency_keys k join refunds r on ${sameStore('r', 'k')} and r.id = k.resource_id
      group by k.workspace_id, k.test_mode, k.resource_id having count(*) > 1`,
  },
  {
    number: 30,
    name: 'no work is held by a worker that has gone',
    isOfNow: true,
    sql: `
      select workspace_id, test_mode, kind, ref_id, lease_until_ms from due_work
      where lease_until_ms < real_now_ms() - ${LATE_LEASE_MS}`,
  },
  {
    number: 30,
    name: 'work that failed says why',
    sql: `
      select workspace_id, test_mode, kind, ref_id, failures from due_work
      where failures > 0 and last_error is null`,
  },
  {
    number: 30,
    // A person decides on one that is held.
    name: 'a charge whose outcome is open is looked after',
    sql: `
      select c.workspace_id, c.test_mode, c.id, c.payment_id, p.order_id
      from charges c join payments p on ${sameStore('p', 'c')} and p.id = c.payment_id
      where c.status = 'pending' and c.hold is null and not exists (select from due_work w
        where ${sameStore('w', 'c')} and w.ref_id in (p.order_id, p.id, c.id, p.subscription_id))`,
  },
  {
    number: 30,
    name: 'a subscription that runs has its next moment put down',
    sql: `
      select s.workspace_id, s.test_mode, s.id, s.number, s.status from subscriptions s
      where s.status in ('trialing', 'active', 'past_due') and not s.waiting
        and not exists (select from due_work w
          where ${sameStore('w', 's')} and w.kind = 'advance_subscription' and w.ref_id = s.id)
        -- What comes of a charge that is under way puts the moment down.
        and not exists (select from payments p
          where ${sameStore('p', 's')} and p.subscription_id = s.id and p.status = 'PENDING')`,
  },
  {
    number: 30,
    // What is given back by hand is settled by hand.
    name: 'a refund whose outcome is open is looked after',
    sql: `
      select r.workspace_id, r.test_mode, r.id, r.payment_id from refunds r
      where r.status = 'pending' and r.processor <> 'manual' and not exists (select from due_work w
        where ${sameStore('w', 'r')} and w.ref_id in (r.id, r.payment_id, r.charge_id))`,
  },
  {
    number: 31,
    name: 'a workspace that has sold is active, or archived by its admin',
    sql: `
      select distinct w.id, w.name, w.state
      from workspaces w join orders o on o.workspace_id = w.id and o.paid_at is not null
      where w.state not in ('active', 'archived', 'restoring')`,
  },
  {
    number: 33,
    name: 'a store has no more webhooks than the limit',
    sql: `
      select workspace_id, test_mode, count(*) as webhooks from webhooks where deleted_at is null
      group by workspace_id, test_mode having count(*) > 10`,
  },
  {
    number: 33,
    name: 'nothing is sent to a webhook once it is archived',
    sql: `
      select w.workspace_id, w.test_mode, w.id, w.deleted_at, a.id as attempt_id, a.created_at
      from webhooks w join webhook_attempts a on ${sameStore('a', 'w')} and a.webhook_id = w.id
      -- The archive's moment is when it was asked for; what was read before, of an earlier version, goes out. Versions are
      -- the same whichever node a row lies on, and transactions are not.
      where a.created_at > w.deleted_at and w.version <= a.webhook_version`,
  },
  {
    number: 34,
    name: 'no row of one mode can point into the other',
    sql: findLooseReferences('test_mode'),
  },
];
