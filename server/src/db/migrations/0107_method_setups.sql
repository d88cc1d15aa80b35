-- Expand. A method that is taken for 0 and pays nothing by itself: it lives as a charge does, and is none.
create table method_setups (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  user_id uuid not null,
  -- `card`: given on the page of a subscription's card.
  purpose text not null check (purpose in ('card')),
  -- That it is to pay from then on.
  subscription_id uuid not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  currency text not null,
  processor text not null,
  connection_id uuid not null,
  -- Its object at the processor, committed before it is asked for anything.
  processor_id text,
  payment_method jsonb,
  -- What it has become.
  payment_method_id uuid,
  decline_reason text,
  decline_message text,
  -- Where its holder is asked by their bank; `asked` = the processor says where to.
  action_path text,
  look_count integer not null default 0,
  silent_looks integer not null default 0,
  -- From then on no object is named in it any more.
  called_off_at bigint,
  created_at bigint not null,
  settled_at bigint,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, subscription_id) references subscriptions on delete cascade,
  foreign key (workspace_id, test_mode, connection_id) references processors on delete cascade
);
-- One at a time.
create unique index method_setups_open on method_setups (workspace_id, test_mode, subscription_id)
  where status = 'pending';
create index method_setups_of_subscription on method_setups (workspace_id, test_mode, subscription_id, created_at desc);
create unique index method_setups_object on method_setups (workspace_id, test_mode, connection_id, processor_id)
  where processor_id is not null;
