-- Figures of a store: the order in which their rows are read, and sums of quarter hours that are over.

-- Everything that a figure is a sum of is found by its moment.
create index ledger_entries_by_kind on ledger_entries (workspace_id, test_mode, kind, created_at, entry_id);
create index payments_by_paid_at on payments (workspace_id, test_mode, paid_at, id) where paid_at is not null;
create index charges_by_settled_at on charges (workspace_id, test_mode, settled_at, id) where settled_at is not null;
create index charges_failed_at on charges (workspace_id, test_mode, settled_at, id)
  where settled_at is not null and status = 'failed';
create index disputes_by_opened_at on disputes (workspace_id, test_mode, opened_at, charge_id);
-- A trial ends when it was to, or with its subscription.
create index subscriptions_by_trial_end on subscriptions (workspace_id, test_mode, least(trial_end, ended_at), id)
  where trial_start is not null;
create index mrr_movements_opening on mrr_movements (workspace_id, test_mode, at) where kind = 'opening';

-- Sums by currency of a quarter hour that is over: zones begin their days at any of them. The rows decide; what is
-- here can be made anew from them.
create table figure_quarters (
  workspace_id uuid not null,
  test_mode boolean not null,
  currency text not null,
  -- On the workspace's clock; a multiple of 15 minutes.
  starts_at bigint not null,
  gross minor_units not null,
  refunds minor_units not null,
  tax minor_units not null,
  fees minor_units not null,
  orders bigint not null,
  new_customers bigint not null,
  initial_payments bigint not null,
  initial_value minor_units not null,
  paid_payments bigint not null,
  first_charges bigint not null,
  first_failures bigint not null,
  disputes bigint not null,
  mrr minor_units not null,
  active_subscriptions bigint not null,
  churned_subscriptions bigint not null,
  mrr_new minor_units not null,
  mrr_imported minor_units not null,
  mrr_expansion minor_units not null,
  mrr_contraction minor_units not null,
  mrr_churn minor_units not null,
  mrr_reactivation minor_units not null,
  mrr_paused minor_units not null,
  mrr_resumed minor_units not null,
  primary key (workspace_id, test_mode, currency, starts_at),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);

-- How far a store's quarter hours are summed up.
create table figure_closings (
  workspace_id uuid not null,
  test_mode boolean not null,
  closed_until bigint not null,
  primary key (workspace_id, test_mode),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
