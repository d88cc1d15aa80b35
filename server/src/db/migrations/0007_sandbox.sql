-- The sandbox processor's own books. It is a stranger to the tables of sales: it knows only our ids, as keys
-- of its answers, and never a card number.

create table sandbox_charges (
  workspace_id uuid not null,
  test_mode boolean not null,
  -- Our charge's id: the same charge asked for twice is one row.
  id uuid not null,
  customer text not null,
  -- The card's name in the sandbox's table; null for a bank transfer.
  card text,
  wallet text,
  amount minor_units not null check (amount >= 0),
  currency text not null,
  fee minor_units not null,
  refunded minor_units not null default 0 check (refunded between 0 and amount),
  status text not null
    check (status in ('requires_action', 'pending', 'unknown', 'succeeded', 'failed', 'cancelled')),
  -- When a pending or unknown charge succeeds, on the workspace's clock.
  settles_at bigint check (settles_at is not null or status not in ('pending', 'unknown')),
  decline_reason text check ((decline_reason is not null) = (status = 'failed')),
  -- When the buyer's bank will dispute it; null for never.
  dispute_at bigint,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
-- Asked only for the few cards that remember their customer.
create index sandbox_charges_of_customer on sandbox_charges (workspace_id, test_mode, customer, card)
  where status = 'succeeded' and card in ('authentication', 'charge_once');

create table sandbox_refunds (
  workspace_id uuid not null,
  test_mode boolean not null,
  -- Our refund's id.
  id uuid not null,
  charge_id uuid not null,
  amount minor_units not null check (amount > 0),
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, charge_id) references sandbox_charges on delete cascade
);
create index sandbox_refunds_of_charge on sandbox_refunds (workspace_id, test_mode, charge_id);
