-- Money that goes back, and money that a buyer's bank takes back.

create table refunds (
  workspace_id uuid not null,
  test_mode boolean not null,
  -- The processor's idempotency key: a refund asked for twice is one.
  id uuid not null,
  order_id uuid not null,
  payment_id uuid not null,
  charge_id uuid not null,
  -- A refund whose outcome is unknown stays pending, and counts as given back.
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  amount minor_units not null check (amount > 0),
  -- The part of the amount that is tax.
  tax minor_units not null check (tax between 0 and amount),
  currency text not null,
  reason text not null
    check (reason in ('requested_by_customer', 'duplicate', 'fraudulent', 'other', 'dispute')),
  note text,
  -- `manual` = given back outside; no processor is called.
  processor text not null,
  processor_id text,
  failure_reason text,
  credit_note_number text,
  look_count integer not null default 0,
  version integer not null default 0,
  created_at bigint not null,
  settled_at bigint,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, order_id) references orders,
  foreign key (workspace_id, test_mode, payment_id) references payments,
  foreign key (workspace_id, test_mode, charge_id) references charges
);
create index refunds_of_payment on refunds (workspace_id, test_mode, payment_id, created_at);
create index refunds_of_order on refunds (workspace_id, test_mode, order_id, created_at);

create table disputes (
  workspace_id uuid not null,
  test_mode boolean not null,
  -- A charge is disputed once: its own id.
  charge_id uuid not null,
  order_id uuid not null,
  payment_id uuid not null,
  status text not null check (status in ('open', 'won', 'lost')),
  -- What is in dispute: what was left of the payment when it was opened.
  amount minor_units not null check (amount > 0),
  tax minor_units not null,
  currency text not null,
  processor_id text,
  opened_at bigint not null,
  closed_at bigint,
  primary key (workspace_id, test_mode, charge_id),
  foreign key (workspace_id, test_mode, charge_id) references charges,
  foreign key (workspace_id, test_mode, payment_id) references payments,
  foreign key (workspace_id, test_mode, order_id) references orders
);
create index disputes_of_payment on disputes (workspace_id, test_mode, payment_id);

-- While its payment is disputed the order's keys and downloads are withheld.
alter table orders add column frozen_at bigint;
