-- What a key pair is narrowed to and how it was used, what was asked of a store, and what was done to one object.

alter table api_keys add column ip_allow_list jsonb;
-- Null of a pair that is older than this column.
alter table api_keys add column secret_last4 text;
alter table api_keys add column created_by text;
-- When another pair took over: its end is a grace, which never grows. Only rolling ever set an end.
alter table api_keys add column rolled_at bigint;
update api_keys set rolled_at = created_at where expires_at is not null;

-- Written all the time, beside keys that hardly ever change.
create table api_key_uses (
  workspace_id uuid not null,
  key_id uuid not null,
  -- Real time.
  last_used_at bigint not null,
  address text,
  primary key (workspace_id, key_id),
  foreign key (workspace_id, key_id) references api_keys on delete cascade
) with (fillfactor = 70);
insert into api_key_uses (workspace_id, key_id, last_used_at)
  select workspace_id, id, last_used_at from api_keys where last_used_at is not null;

-- What was asked of a store in the last days. Kept for whoever looks for a fault, and proves nothing.
create table request_log (
  workspace_id uuid not null,
  test_mode boolean not null,
  -- The request's own id.
  id uuid not null,
  actor text not null,
  key_id uuid,
  with_secret boolean not null,
  method text not null,
  path text not null,
  operation text not null,
  status integer not null,
  code text,
  address text not null,
  duration_ms integer not null,
  query jsonb,
  request_body jsonb,
  response_body jsonb,
  size_bytes integer not null,
  -- Real time.
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
create index request_log_newest on request_log (workspace_id, test_mode, created_at desc, id desc);
create index request_log_of_key on request_log (workspace_id, test_mode, key_id, created_at desc, id desc);

-- How much a store's log holds, so that its limits are kept without counting.
create table request_log_sizes (
  workspace_id uuid not null,
  test_mode boolean not null,
  rows integer not null,
  bytes bigint not null,
  primary key (workspace_id, test_mode),
  foreign key (workspace_id, test_mode) references stores on delete cascade
) with (fillfactor = 70);

create index audit_log_newest on audit_log (workspace_id, created_at desc, id desc);

-- What was done to a workspace as a whole: of no mode, and kept beyond a reset of the test store.
create table workspace_audit (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  actor text not null,
  operation text not null,
  object_id text,
  before jsonb,
  after jsonb,
  request_id text not null,
  created_at bigint not null,
  primary key (workspace_id, id)
);
create index workspace_audit_newest on workspace_audit (workspace_id, created_at desc, id desc);
create trigger workspace_audit_kept before update or delete on workspace_audit
  for each row execute function audit_keep();
create trigger workspace_audit_not_emptied before truncate on workspace_audit
  for each statement execute function audit_keep();
