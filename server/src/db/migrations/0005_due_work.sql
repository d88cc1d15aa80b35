-- What is to be done later, on the workspace's own clock. Claimed in batches over all workspaces with
-- SKIP LOCKED; due_real_ms = due_ms − the store's clock offset is what real time is compared with.

create table due_work (
  workspace_id uuid not null,
  test_mode boolean not null,
  kind text not null,
  ref_id uuid not null,
  due_ms bigint not null,
  due_real_ms bigint not null,
  lease_until_ms bigint,
  -- Grows with each claim: a worker that lost its lease cannot finish what another has taken over.
  fence bigint not null default 0,
  failures integer not null default 0,
  last_error text,
  primary key (workspace_id, test_mode, kind, ref_id),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
create index due_work_next on due_work (due_real_ms);

-- Real time is the database's, never a process's.
create function real_now_ms() returns bigint language sql volatile parallel safe
  return floor(extract(epoch from clock_timestamp()) * 1000)::bigint;
