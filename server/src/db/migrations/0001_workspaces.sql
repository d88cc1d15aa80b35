-- Workspaces, their two stores (live and test), who may enter, and what a request leaves behind.
-- Rule of this schema: workspace_id leads every key, so that a row cannot point into another workspace.

-- Money is an integer of minor units within what JSON carries exactly. numeric rather than int8 so that the
-- driver can tell money (bigint in code) from times and counts (number in code).
create domain minor_units as numeric(16, 0) check (value between -9007199254740991 and 9007199254740991);

create table workspaces (
  id uuid primary key,
  name text not null,
  state text not null default 'active' check (state in ('active', 'suspended', 'archived')),
  created_at bigint not null
);

-- One row per workspace and mode: live and test are two separate stores of one workspace.
create table stores (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  test_mode boolean not null,
  currency text,
  settings jsonb not null default '{}',
  clock_offset_ms bigint not null default 0 check (test_mode or clock_offset_ms = 0),
  clock_advancing_to bigint,
  primary key (workspace_id, test_mode)
);

create table members (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  email text not null,
  email_normal text not null,
  password_hash text not null,
  role text not null,
  created_at bigint not null,
  primary key (workspace_id, id),
  unique (workspace_id, email_normal)
);

create table api_keys (
  workspace_id uuid not null,
  id uuid not null,
  test_mode boolean not null,
  name text not null,
  public_key text not null,
  secret_hash text not null,
  scopes jsonb,
  read_requires_secret boolean not null default false,
  created_at bigint not null,
  -- Real time, as for everything that strangers check. A rolled pair stops working at expires_at.
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint,
  primary key (workspace_id, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
-- The one question asked before a workspace is known: whose key is this?
create unique index api_keys_public_key on api_keys (public_key);

create table idempotency_keys (
  workspace_id uuid not null,
  test_mode boolean not null,
  key text not null,
  fingerprint text not null,
  resource_id uuid,
  response text,
  lease_until bigint not null,
  created_at bigint not null,
  primary key (workspace_id, test_mode, key),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
create index idempotency_keys_age on idempotency_keys (workspace_id, test_mode, created_at);

create table audit_log (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  actor text not null,
  operation text not null,
  object_id text,
  before jsonb,
  after jsonb,
  request_id text not null,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
