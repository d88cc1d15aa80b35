-- Webhooks without an address: a developer's machine asks for what it hears, and reports what became of it.
create table listeners (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  name text not null,
  secret text not null,
  events text[] not null,
  -- Real time: a machine that does not ask for a day is gone.
  asked_real_ms bigint not null,
  ended_real_ms bigint,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);

-- What is told to a listener is a delivery like any other, but that nobody sends it: it has no due work.
alter table webhook_deliveries
  add column listener_id uuid,
  add column lease_until_real_ms bigint,
  add foreign key (workspace_id, test_mode, listener_id) references listeners on delete set null (listener_id);

create unique index webhook_deliveries_heard_once
  on webhook_deliveries (workspace_id, test_mode, listener_id, event_id) where listener_id is not null;

create index webhook_deliveries_heard
  on webhook_deliveries (workspace_id, test_mode, listener_id, created_at)
  where status = 'waiting' and listener_id is not null;
