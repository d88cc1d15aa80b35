/** Invariants 24, 25 and 27: how what was told reached the webhooks, and the mails. */
import { type Invariant, isStillKept, sameStore, uniqueIndexStands } from './invariant.ts';

const FIVE_MINUTES_MS = 300_000;
/** Longer than any request lives: a change of a webhook holds for what happens this long after it began. */
const REQUEST_MS = 60_000;

export const DELIVERIES: readonly Invariant[] = [
  {
    number: 24,
    // Of a webhook only its last change is known, and that it was taken back from the archive: what happened before
    // that is not asked for.
    name: 'each event goes to each webhook that hears it',
    sql: `
      select e.workspace_id, e.test_mode, e.id, e.type, e.created_at, w.id as webhook_id
      from webhooks w
      left join (
        select workspace_id, test_mode, object_id, max(created_at) as at_ms from audit_log
        where operation in ('updateWebhook', 'unarchiveWebhook') group by workspace_id, test_mode, object_id
      ) changed on ${sameStore('changed', 'w')} and changed.object_id = w.id::text
      join events e on ${sameStore('e', 'w')} and e.type = any(w.events)
        and e.created_at > greatest(w.created_at, changed.at_ms) + ${REQUEST_MS}
        -- A test event is of no order, and may be meant for one webhook.
        and e.order_id is not null
        -- Nor is it known once that change is forgotten.
        and ${isStillKept('audit_log', 'e', 'e.created_at')}
      where w.status = 'active' and w.deleted_at is null
        and not exists (select from webhook_deliveries d
          where ${sameStore('d', 'e')} and d.event_id = e.id and d.webhook_id = w.id and not d.is_resend)`,
  },
  {
    number: 24,
    name: 'the key that lets an event go to a webhook once stands',
    sql: uniqueIndexStands('webhook_deliveries_once'),
  },
  {
    number: 24,
    name: 'a delivery waits exactly when its next attempt is due',
    sql: `
      select coalesce(d.workspace_id, w.workspace_id) as workspace_id, coalesce(d.test_mode, w.test_mode) as test_mode,
        coalesce(d.id, w.ref_id) as id, d.status, w.due_ms
      from (select * from webhook_deliveries where status = 'waiting' and listener_id is null) d
      full join (select * from due_work where kind = 'deliver_webhook') w on ${sameStore('w', 'd')} and w.ref_id = d.id
      where d.id is null or w.ref_id is null`,
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
    isOfNow: true,
    // What is held waits for its operator, and what a receiver that fails is to get for its turn.
    sql: `
      select w.workspace_id, w.test_mode, w.ref_id, w.due_real_ms from due_work w
      join stores s on ${sameStore('s', 'w')}
        and (s.test_mode or coalesce(s.held_since, (select held_since from installation_state)) is null)
      left join webhooks h on ${sameStore('h', 'w')} and h.id = w.lane
      where coalesce(h.health, 'ok') = 'ok' and w.kind = 'deliver_webhook' and w.due_real_ms < real_now_ms() - ${FIVE_MINUTES_MS}
        and (w.lease_until_ms is null or w.lease_until_ms < real_now_ms())`,
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
    number: 25,
    name: 'the attempts of a delivery are counted from 0 without holes, one after the other',
    sql: `
      select n.* from (
        select workspace_id, test_mode, delivery_id, sequence, created_at,
          lag(sequence) over earlier as before, lag(created_at) over earlier as before_at
        from webhook_attempts
        window earlier as (partition by workspace_id, test_mode, delivery_id order by sequence)
      ) n
      where case when n.before is not null then n.sequence <> n.before + 1 or n.created_at < n.before_at
        else n.sequence <> 0 and exists (select from webhook_deliveries d where ${sameStore('d', 'n')}
          and d.id = n.delivery_id and ${isStillKept('webhook_attempts', 'd', 'd.created_at')}) end`,
  },
  {
    number: 25,
    name: 'a delivery ends with the attempt that was taken, and with no other',
    sql: `
      select * from (
        select d.workspace_id, d.test_mode, d.id, d.status, d.attempt_count, d.created_at, count(a.id) as attempts,
          count(a.id) filter (where a.status_code between 200 and 299) as taken,
          max(a.sequence) as last, max(a.sequence) filter (where a.status_code between 200 and 299) as last_taken
        from webhook_deliveries d left join webhook_attempts a on ${sameStore('a', 'd')} and a.delivery_id = d.id
        group by d.workspace_id, d.test_mode, d.id, d.status, d.attempt_count, d.created_at) d
      where d.attempts <> d.attempt_count and ${isStillKept('webhook_attempts', 'd', 'd.created_at')}
        or d.taken <> case d.status when 'delivered' then 1 else 0 end
        or d.last_taken < d.last`,
  },
  {
    number: 27,
    name: 'no attempt reached an address that is not allowed',
    isOfSettings: true,
    sql: `
      select address, min(workspace_id::text) as workspace_id, min(id::text) as id from webhook_attempts
      where address is not null and error is distinct from 'blocked' group by address`,
    isFine: ({ address }, guard) => guard.isAllowed(String(address)),
  },
];
