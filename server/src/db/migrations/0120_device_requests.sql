-- Machines that ask a person for a key pair (RFC 8628). They belong to no workspace until somebody has allowed them.
create table device_requests (
  device_code_hash text primary key,
  user_code text not null unique,
  -- What the machine calls itself, and where it asked from.
  client text not null,
  address text not null,
  -- Null: all that the person may give without naming it.
  scopes jsonb,
  status text not null default 'pending' check (status in ('pending', 'allowed', 'denied', 'used')),
  account_id uuid references accounts on delete cascade,
  workspace_id uuid references workspaces on delete cascade,
  test_mode boolean,
  -- Real times.
  polled_real_ms bigint,
  interval_s integer not null,
  ends_real_ms bigint not null,
  created_at bigint not null
);

create index device_requests_by_end on device_requests (ends_real_ms);
create index device_requests_by_account on device_requests (account_id) where account_id is not null;
create index device_requests_by_workspace on device_requests (workspace_id) where workspace_id is not null;
