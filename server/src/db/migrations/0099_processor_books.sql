-- Expand. What happened at a processor while nobody heard it is read before a process charges anybody who is not there;
-- the processes that live; and who sent which charge.

-- Each says every 10 seconds that it is there.
create table processes (
  id uuid primary key,
  role text not null,
  version text not null,
  host text not null,
  -- The connections to the store that it may open.
  pool integer not null,
  started_at bigint not null,
  seen_at bigint not null
);

-- By real time, as the processor's own. Where the next reading begins, and when the last one ended.
alter table processors add column read_from bigint, add column read_at bigint;
create index processors_to_read on processors (read_at) where credentials is not null;

-- The first reading of each process over each connection.
create table processor_backfills (
  workspace_id uuid not null,
  test_mode boolean not null,
  connection_id uuid not null,
  process_id uuid not null,
  begun_at bigint not null,
  ended_at bigint not null,
  primary key (workspace_id, test_mode, connection_id, process_id),
  foreign key (workspace_id, test_mode, connection_id) references processors on delete cascade
);

-- Found by reading, and not told at an endpoint.
alter table processor_events add column was_read boolean not null default false;

-- The process that had the object named, before it asked for its money, and when, by real time.
alter table charges add column sent_by uuid, add column sent_at bigint;
