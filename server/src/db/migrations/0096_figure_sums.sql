-- Expand. Sums of days beside those of quarter hours, so that a year is a few hundred rows, and the same told apart by
-- type and country of the payment. What was kept before is not read any more: sums are made anew from the rows.

-- Wider than an amount: many of the largest are more than a single one can be.
create table figure_sums (
  workspace_id uuid not null,
  test_mode boolean not null,
  -- How long, in minutes: a quarter hour, or a day of UTC.
  span_minutes smallint not null check (span_minutes in (15, 1440)),
  -- Whether the row is of one type and country of payment; else it is of all that counts.
  is_grouped boolean not null,
  -- On the workspace's clock; a multiple of the length.
  starts_at bigint not null,
  currency text not null,
  -- Empty where nothing is told apart.
  type text not null,
  -- Empty also of payments that have none.
  country text not null,
  gross numeric(38,0) not null,
  refunds numeric(38,0) not null,
  taxes numeric(38,0) not null,
  fees numeric(38,0) not null,
  orders bigint not null,
  new_customers bigint not null,
  initial_payments bigint not null,
  initial_value numeric(38,0) not null,
  paid_payments bigint not null,
  first_charges bigint not null,
  first_failures bigint not null,
  disputes bigint not null,
  mrr numeric(38,0) not null,
  active_subscriptions bigint not null,
  churned_subscriptions bigint not null,
  mrr_new numeric(38,0) not null,
  mrr_imported numeric(38,0) not null,
  mrr_expansion numeric(38,0) not null,
  mrr_contraction numeric(38,0) not null,
  mrr_churn numeric(38,0) not null,
  mrr_reactivation numeric(38,0) not null,
  mrr_paused numeric(38,0) not null,
  mrr_resumed numeric(38,0) not null,
  primary key (workspace_id, test_mode, is_grouped, span_minutes, starts_at, currency, type, country),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);

-- Until when a store is summed up there.
create table figure_sum_closings (
  workspace_id uuid not null,
  test_mode boolean not null,
  closed_until bigint not null,
  primary key (workspace_id, test_mode),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
