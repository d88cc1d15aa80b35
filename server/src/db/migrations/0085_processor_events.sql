-- Expand. What processors tell: where they send it, and what was told, stored before anybody looks.

-- An address that one connection tells to. Making a second one rotates its secret: both are heard until the first ends.
create table processor_endpoints (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  connection_id uuid not null,
  -- Of the word in its address.
  token_hash text not null,
  -- Sealed, 'lost' where no key opens it; null until the processor has said it.
  secret text,
  -- What the processor calls it; null until it was made there.
  processor_id text,
  -- By real time, as all of what processors tell.
  created_at bigint not null,
  ends_at bigint,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, connection_id) references processors on delete cascade,
  check (secret is null or secret = 'lost' or secret like 'v1.%')
);
create unique index processor_endpoints_of_token on processor_endpoints (workspace_id, token_hash);
create index processor_endpoints_of_connection on processor_endpoints (workspace_id, test_mode, connection_id);

-- Hints to look, without what they say: each is kept once, however often it comes.
create table processor_events (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  connection_id uuid not null,
  -- As the processor names it.
  event_id text not null,
  type text not null,
  object_kind text not null,
  object_id text not null,
  -- What of the processor's objects took the money that it is about, and our own id, where it says so.
  object_charge text,
  object_own uuid,
  status text not null default 'waiting' check (status in ('waiting', 'done', 'ignored', 'parked')),
  tries integer not null default 0,
  last_error text,
  happened_at bigint not null,
  received_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, connection_id) references processors on delete cascade
);
create unique index processor_events_of_event on processor_events (workspace_id, connection_id, event_id);
create index processor_events_by_time on processor_events
  (workspace_id, test_mode, connection_id, received_at desc, id desc);
create index processor_events_to_sweep on processor_events (received_at)
  where status in ('done', 'ignored');
