-- What a processor has taken for a period whose payment our rows do not hold yet: they are of before it, and the period
-- has not begun by the store's clock. The row goes with the payment that is written for it.
create table adopted_charges (
  workspace_id uuid not null,
  test_mode boolean not null,
  -- As the processor was told when the money was asked for.
  charge_id uuid not null,
  payment_id uuid not null,
  connection_id uuid not null,
  -- Of the object that took the money.
  processor_id text not null,
  subscription_id uuid not null,
  period_start bigint not null,
  primary key (workspace_id, test_mode, subscription_id, period_start),
  foreign key (workspace_id, test_mode, connection_id) references processors on delete cascade,
  foreign key (workspace_id, test_mode, subscription_id) references subscriptions on delete cascade
);

-- From when on what happened there is to be held against our rows before anybody is charged over it unasked; null = nothing
-- was lost, or that was done.
alter table processors add column adopt_from bigint;
