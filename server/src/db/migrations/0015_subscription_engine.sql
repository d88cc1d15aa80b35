-- What a subscription needs to bill itself: its dunning run, its pause, and which stored method a charge uses.

alter table subscriptions
  -- When the first failed renewal started the run; null = none runs.
  add column dunning_started_at bigint,
  -- Declines of the run that count, the first one included.
  add column dunning_failures integer not null default 0,
  -- Technical errors in a row, which use up no try.
  add column dunning_errors integer not null default 0,
  -- After a hard decline nothing is charged by itself; retry_at is then the end of the run.
  add column dunning_hard boolean not null default false,
  -- The run's next step. Null while its charge is under way, and while no run is.
  add column retry_at bigint,
  add column pause_behavior text check (pause_behavior in ('void', 'keep_as_draft', 'mark_uncollectible'));

-- A charge that the processor has never seen is made again, with the same method.
alter table charges add column payment_method_id uuid;
-- The buyer wants renewals to be charged to the card that was typed for this charge.
alter table charges add column keeps_method boolean not null default false;
alter table charges add foreign key (workspace_id, test_mode, payment_method_id) references payment_methods;

-- What a subscription owes, and what is being charged of it.
create index payments_open_of_subscription on payments (workspace_id, test_mode, subscription_id, period_start)
  where subscription_id is not null and status in ('PENDING', 'FAILED', 'UNPAID');
