-- What later payments of a subscription are made of, and changes of a plan that wait.

create table payment_lines (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  subscription_id uuid not null,
  -- Null: the line waits for the next payment.
  payment_id uuid,
  position integer not null,
  kind text not null check (kind in ('interval', 'proration_credit', 'proration_charge', 'extra')),
  -- Of the moment: items are replaced when a plan changes.
  subscription_item_id uuid,
  offer_id uuid,
  product_id uuid,
  variant_id uuid,
  name text not null,
  description text,
  internal_id text,
  -- The inputs and the outcome of the line's sum; a credit's are negative.
  unit_price minor_units not null,
  quantity bigint not null check (quantity >= 1),
  currency text not null,
  subtotal minor_units not null,
  discount minor_units not null,
  tax minor_units not null,
  total minor_units not null,
  inclusive boolean not null,
  tax_reason text not null,
  tax_rates jsonb not null default '[]',
  product jsonb,
  variant jsonb,
  offer jsonb,
  custom_fields jsonb not null default '{}',
  period_start bigint,
  period_end bigint,
  -- The line that this one is a part of: a credit may be used up over several payments.
  source_line_id uuid,
  -- Whether it waited before it came onto its payment; if that comes to nothing, it waits again.
  carried boolean not null default false,
  -- When the subscription ended with the line still waiting.
  lapsed_at bigint,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, subscription_id) references subscriptions on delete cascade,
  foreign key (workspace_id, test_mode, payment_id) references payments on delete cascade,
  foreign key (workspace_id, test_mode, offer_id) references offers,
  check (kind not in ('interval', 'extra') or payment_id is not null)
);
create index payment_lines_of_payment on payment_lines (workspace_id, test_mode, payment_id, position)
  where payment_id is not null;
create index payment_lines_waiting on payment_lines (workspace_id, test_mode, subscription_id, created_at, id)
  where payment_id is null and lapsed_at is null;
create index payment_lines_of_period on payment_lines (workspace_id, test_mode, subscription_id, period_start);

-- What the tax of a later payment rests on, as the order keeps it for the first one.
alter table payments add column tax_decision jsonb not null default '{}';

alter table subscriptions
  -- A plan that holds once its payment is PAID, and one that takes effect at the end of the period.
  add column pending_change jsonb,
  add column pending_payment_id uuid,
  add column scheduled_change jsonb,
  -- The buyer's mails are held back.
  add column skip_notifications boolean not null default false;
