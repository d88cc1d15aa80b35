-- Expand. What is kept for a time alone is found by when it was written in real time, and the store says where the
-- history of its events, deliveries, mails and audit rows begins.

-- Null in rows from before: of those the time of their business is taken.
alter table webhook_deliveries add column written_real_ms bigint;
alter table webhook_deliveries alter column written_real_ms set default real_now_ms();
alter table webhook_attempts add column written_real_ms bigint;
alter table webhook_attempts alter column written_real_ms set default real_now_ms();
alter table mails add column written_real_ms bigint;
alter table mails alter column written_real_ms set default real_now_ms();
create index webhook_attempts_written
  on webhook_attempts (workspace_id, test_mode, coalesce(written_real_ms, created_at));
create index mails_written on mails (workspace_id, test_mode, coalesce(written_real_ms, created_at));

create table retention_marks (
  workspace_id uuid not null,
  test_mode boolean not null,
  -- What was let go: event_bodies, events, webhook_attempts, mail_bodies, mails, audit_log.
  kept text not null,
  -- Workspace's time: of what happened up to then something may be gone.
  until_ms bigint not null,
  -- Real time: all that was written up to then has been looked at.
  looked_real_ms bigint not null,
  primary key (workspace_id, test_mode, kept),
  foreign key (workspace_id, test_mode) references stores (workspace_id, test_mode) on delete cascade
);
