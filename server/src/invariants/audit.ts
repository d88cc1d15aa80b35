/**
 * Invariant 32: who moved money by hand. The audit row is written in the transaction of the effect, so that a request
 * that died behind it has left its row.
 */
import { type Invariant, isStillKept, sameStore } from './invariant.ts';

/** Whether an audit row of the operation names the object; of one that is older than those that are left nothing is known. */
function isAudited(operation: string, of: string, { id, since }: { id: string; since: string }): string {
  return `(exists (select from audit_log a where ${sameStore('a', of)} and a.operation = '${operation}'
    and a.object_id = ${id}) or not ${isStillKept('audit_log', of, since)})`;
}

export const AUDIT: readonly Invariant[] = [
  {
    number: 32,
    name: 'an order that was corrected by hand says by whom',
    sql: `
      select o.workspace_id, o.test_mode, o.id, o.number, o.corrected_at from orders o
      where o.corrected_at is not null and not ${isAudited('updateOrder', 'o', { id: 'o.id::text', since: 'o.corrected_at' })}`,
  },
  {
    number: 32,
    name: 'money that was taken by hand says by whom',
    sql: `
      select c.workspace_id, c.test_mode, c.id, p.order_id, c.amount
      from charges c join payments p on ${sameStore('p', 'c')} and p.id = c.payment_id
      where c.processor = 'manual' and case when c.connection_id is null
        then not ${isAudited('updateOrder', 'p', { id: 'p.order_id::text', since: 'c.created_at' })}
        else c.status = 'succeeded' and c.amount > 0
          and not ${isAudited('receivePayment', 'c', { id: 'c.payment_id::text', since: 'c.created_at' })} end`,
  },
  {
    number: 32,
    // What a reset of the clock has emptied is told all the same.
    name: 'an audit row tells the refund that was made',
    sql: `
      select a.workspace_id, a.test_mode, a.id, a.refund_id, a.amount, r.amount as refunded
      from (
        select workspace_id, test_mode, id, (after #>> '{refund,id}')::uuid as refund_id,
          (after #>> '{refund,amount}')::numeric as amount
        from audit_log where operation = 'refundOrder'
      ) a
      left join refunds r on ${sameStore('r', 'a')} and r.id = a.refund_id
      where a.refund_id is null or r.amount <> a.amount`,
  },
  {
    number: 32,
    name: 'a refund that a request has begun and ended is told by an audit row',
    sql: `
      select r.workspace_id, r.test_mode, r.id, r.order_id, r.amount, r.settled_at
      from refunds r
      left join (
        select workspace_id, test_mode, (after #>> '{refund,id}')::uuid as refund_id from audit_log
        where operation = 'refundOrder'
      ) a on ${sameStore('a', 'r')} and a.refund_id = r.id
      where r.status = 'succeeded' and r.settled_at = r.created_at and r.reason <> 'dispute'
        -- What pays a credit back is told as the change that it belongs to.
        and not r.pays_back and not r.made_elsewhere and a.refund_id is null
        -- What a warning of its issuer gives back is the setting's.
        and not (r.reason = 'fraudulent' and exists (select from charges c where ${sameStore('c', 'r')}
          and c.id = r.charge_id and c.warned_at is not null))
        and ${isStillKept('audit_log', 'r', 'r.created_at')}
        and not (r.processor = 'manual' and ${isAudited('updateOrder', 'r', { id: 'r.order_id::text', since: 'r.created_at' })})
        -- What a withdrawal gives back is told as the withdrawal.
        and not exists (select from withdrawals w where ${sameStore('w', 'r')} and r.id = any(w.refund_ids))
        -- An end at once, which gives back the rest, is told as what it is.
        and not exists (select from orders o join subscriptions s on ${sameStore('s', 'o')} and s.id = o.subscription_id
          where ${sameStore('o', 'r')} and o.id = r.order_id and s.ended_at = r.created_at)`,
  },
  {
    number: 32,
    name: 'a subscription that a request has made is told by an audit row',
    sql: `
      select o.workspace_id, o.test_mode, o.id, o.number, o.paid_at
      from orders o
      left join (
        select workspace_id, test_mode, (after #>> '{order,id}')::uuid as order_id from audit_log
        where operation = 'createSubscription'
      ) a on ${sameStore('a', 'o')} and a.order_id = o.id
      where o.subscription_id is not null and o.session_id is null and o.imported is null and a.order_id is null
        and ${isStillKept('audit_log', 'o', 'o.created_at')}`,
  },
  {
    number: 32,
    name: 'the guards of audit rows stand',
    sql: `
      select wanted.name from (values ('audit_log_kept'), ('audit_log_not_emptied')) as wanted (name)
      where not exists (select from pg_trigger t
        where t.tgrelid = 'public.audit_log'::regclass and t.tgname = wanted.name and t.tgenabled in ('O', 'A'))`,
  },
  {
    number: 32,
    name: 'the guards of what consumers agreed to and stated stand',
    sql: `
      select wanted.kept, wanted.name from (values
        ('consents', 'consents_kept'), ('consents', 'consents_confirmed_once'), ('consents', 'consents_not_emptied'),
        ('withdrawals', 'withdrawals_kept'), ('withdrawals', 'withdrawals_not_emptied'),
        ('cancellation_notices', 'cancellation_notices_kept'),
        ('cancellation_notices', 'cancellation_notices_not_emptied')) as wanted (kept, name)
      where not exists (select from pg_trigger t
        where t.tgrelid = ('public.' || wanted.kept)::regclass and t.tgname = wanted.name and t.tgenabled in ('O', 'A'))`,
  },
  {
    number: 32,
    name: 'a withdrawal that was decided by hand says by whom',
    sql: `
      select w.workspace_id, w.test_mode, w.id, w.number, w.status from withdrawals w
      where w.decided_at is not null and w.status <> 'stopped'
        and not ${isAudited('decideWithdrawal', 'w', { id: 'w.id::text', since: 'w.decided_at' })}`,
  },
  {
    number: 32,
    name: 'what a withdrawal gives back is of its own order',
    sql: `
      select w.workspace_id, w.test_mode, w.id, w.number, r.id as refund_id
      from withdrawals w join refunds r on ${sameStore('r', 'w')} and r.id = any(w.refund_ids)
      where r.order_id is distinct from w.order_id`,
  },
];
