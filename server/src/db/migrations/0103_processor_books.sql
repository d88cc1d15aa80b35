-- Expand. The books of processors: each movement of money that one of them tells of, linked to what of ours it is or
-- posted by itself, and what comparing the two books has found.

create table processor_movements (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  connection_id uuid not null,
  -- As the processor names it.
  movement_id text not null,
  kind text not null,
  -- What it is of ours; both null = nothing.
  charge_id uuid,
  refund_id uuid,
  -- `waiting`: what it is of has not moved here yet, so that nothing is posted. `linked`: it is a part of what a row of ours
  -- has posted, and the difference. `posted`: no row of ours stands for it.
  status text not null check (status in ('waiting', 'linked', 'posted')),
  -- What leaves is negative; net = amount - fee.
  amount minor_units not null,
  fee minor_units not null,
  currency text not null,
  -- What the row of ours has posted for it, which may be in another currency: sum and fee.
  own_amount minor_units not null default 0,
  own_fee minor_units not null default 0,
  own_currency text not null,
  -- The account that stands against money which no row of ours is about.
  account text not null check (account in ('payouts', 'fees', 'processor_other')),
  -- The names that it has there, by which it is looked for again.
  source text,
  source_charge text,
  source_own uuid,
  -- Real ms.
  happened_at bigint not null,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, connection_id) references processors on delete cascade
);
create unique index processor_movements_once on processor_movements
  (workspace_id, test_mode, connection_id, movement_id);
create index processor_movements_of_charge on processor_movements (workspace_id, test_mode, charge_id)
  where charge_id is not null;
create index processor_movements_waiting on processor_movements (workspace_id, test_mode, connection_id)
  where status = 'waiting';

create table processor_reports (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  connection_id uuid not null,
  -- Real ms, as all of its times.
  from_at bigint not null,
  to_at bigint not null,
  counts jsonb not null,
  findings jsonb not null,
  sums jsonb not null,
  acknowledged_at bigint,
  acknowledged_note text,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, connection_id) references processors on delete cascade
);
create index processor_reports_by_time on processor_reports
  (workspace_id, test_mode, connection_id, created_at desc, id desc);

alter table processors
  -- Until when the daily comparison has read, and when it last began: by real time.
  add column reconciled_to bigint,
  add column reconciled_at bigint;

alter table ledger_entries
  alter column payment_id drop not null,
  drop constraint ledger_entries_account_check,
  drop constraint ledger_entries_kind_check;
alter table ledger_entries
  add constraint ledger_entries_account_check check (account in (
    'processor_clearing', 'sales', 'tax_payable', 'fees', 'refunds', 'manual', 'disputes', 'conversion',
    'processor_other', 'payouts', 'refunds_payable')) not valid,
  add constraint ledger_entries_kind_check check (kind in (
    'charge', 'refund', 'reversal_in', 'reversal_out', 'dispute_opened', 'dispute_won', 'dispute_lost',
    'conversion_out', 'conversion_in', 'fee', 'movement', 'movement_out', 'movement_in', 'refund_returned',
    'return_settled')) not valid;
alter table ledger_entries validate constraint ledger_entries_account_check;
alter table ledger_entries validate constraint ledger_entries_kind_check;
