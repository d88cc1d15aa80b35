-- What consumers state without signing in: that they withdraw from a contract, or cancel one.

create table withdrawals (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  number text not null,
  token text not null,
  -- As it was typed, from here to items.
  order_number text not null,
  part text,
  name text not null,
  email text not null,
  items jsonb,
  source text not null check (source in ('page', 'portal')),
  language text not null,
  received_at bigint not null,
  -- Of its canonical JSON.
  sha256 text not null,
  -- How it stands.
  acknowledged_at bigint,
  order_id uuid,
  user_id uuid,
  status text not null default 'received' check (status in ('received', 'unmatched', 'stopped', 'refunded', 'refused')),
  reason text check (reason in ('late', 'waived', 'business', 'excluded', 'elsewhere', 'other')),
  refund_ids uuid[] not null default '{}',
  note text,
  effect_at bigint,
  warned_days integer not null default 0,
  decided_at bigint,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, order_id) references orders (workspace_id, test_mode, id),
  constraint withdrawals_number unique (workspace_id, test_mode, number),
  constraint withdrawals_token unique (workspace_id, test_mode, token)
);
create index withdrawals_newest on withdrawals (workspace_id, test_mode, received_at desc, id desc);
create index withdrawals_of_order on withdrawals (workspace_id, test_mode, order_id) where order_id is not null;
create index withdrawals_open on withdrawals (workspace_id, test_mode, received_at, id)
  where status in ('received', 'unmatched');
create trigger withdrawals_kept before update or delete on withdrawals
  for each row execute function statement_keep('acknowledged_at', 'order_id', 'user_id', 'status', 'reason',
    'refund_ids', 'note', 'effect_at', 'warned_days', 'decided_at');
create trigger withdrawals_not_emptied before truncate on withdrawals
  for each statement execute function statement_keep();

create table cancellation_notices (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  number text not null,
  token text not null,
  type text not null check (type in ('ordinary', 'cause')),
  stated_reason text,
  name text not null,
  email text not null,
  contract_number text not null,
  end_date bigint,
  source text not null check (source in ('page', 'portal')),
  language text not null,
  received_at bigint not null,
  sha256 text not null,
  acknowledged_at bigint,
  subscription_id uuid,
  user_id uuid,
  status text not null default 'received' check (status in ('received', 'unmatched', 'done', 'refused')),
  note text,
  effect_at bigint,
  warned_days integer not null default 0,
  decided_at bigint,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, subscription_id) references subscriptions (workspace_id, test_mode, id),
  constraint cancellation_notices_number unique (workspace_id, test_mode, number),
  constraint cancellation_notices_token unique (workspace_id, test_mode, token)
);
create index cancellation_notices_newest on cancellation_notices (workspace_id, test_mode, received_at desc, id desc);
create index cancellation_notices_of_subscription on cancellation_notices (workspace_id, test_mode, subscription_id)
  where subscription_id is not null;
create index cancellation_notices_open on cancellation_notices (workspace_id, test_mode, received_at, id)
  where status in ('received', 'unmatched');
create trigger cancellation_notices_kept before update or delete on cancellation_notices
  for each row execute function statement_keep('acknowledged_at', 'subscription_id', 'user_id', 'status', 'note',
    'effect_at', 'warned_days', 'decided_at');
create trigger cancellation_notices_not_emptied before truncate on cancellation_notices
  for each statement execute function statement_keep();
