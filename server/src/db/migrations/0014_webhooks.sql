-- Webhooks that one can rely on: streaks of failures, resends, deliveries that outlive what they point to,
-- and lanes in the queue, so that a receiver that hangs holds up no other.

-- A streak begins with a failed attempt and ends with a 2xx (workspace's time).
alter table webhooks
  add column streak_started_at bigint,
  add column streak_failures integer not null default 0,
  -- When the streak was looked at and had too few failures: from then on the failure that makes it enough disables.
  add column streak_looked_at bigint,
  add constraint webhooks_streak check ((streak_started_at is null) = (streak_failures = 0));

-- A delivery whose webhook or event is gone is dropped, and keeps the reason: it must not fall with them.
alter table webhook_deliveries
  alter column webhook_id drop not null,
  alter column event_id drop not null,
  drop constraint webhook_deliveries_workspace_id_test_mode_webhook_id_fkey,
  drop constraint webhook_deliveries_workspace_id_test_mode_event_id_fkey,
  add foreign key (workspace_id, test_mode) references stores on delete cascade,
  add foreign key (workspace_id, test_mode, webhook_id) references webhooks on delete set null (webhook_id),
  add foreign key (workspace_id, test_mode, event_id) references events on delete set null (event_id),
  -- Asked for by the merchant; resend_of is null where the webhook had not heard of the event before.
  add column is_resend boolean not null default false;
update webhook_deliveries set is_resend = true where resend_of is not null;
drop index webhook_deliveries_once;
create unique index webhook_deliveries_once on webhook_deliveries (workspace_id, test_mode, event_id, webhook_id)
  where not is_resend;
create index webhook_deliveries_of_event on webhook_deliveries (workspace_id, test_mode, event_id, webhook_id);

-- Work of one lane shares its slots, as all deliveries to one webhook do; null = the business's own work.
alter table due_work add column lane uuid;
update due_work w set lane = d.webhook_id from webhook_deliveries d
  where w.kind = 'deliver_webhook' and d.workspace_id = w.workspace_id and d.test_mode = w.test_mode and d.id = w.ref_id;
drop index due_work_next;
create index due_work_next on due_work (due_real_ms) where lane is null;
create index due_work_lanes on due_work (lane, due_real_ms) where lane is not null;
