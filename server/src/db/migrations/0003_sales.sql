-- Who buys and what came of it: users, checkout sessions, orders, items, payments, charges, redemptions.

create table users (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  email text,
  email_normal text,
  username text,
  internal_id text,
  billing_details jsonb not null default '{}',
  payment_data jsonb not null default '{}',
  password_hash text,
  archived_at bigint,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  unique (workspace_id, test_mode, email_normal),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
create index users_newest on users (workspace_id, test_mode, created_at desc, id desc);

create table payment_methods (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  user_id uuid not null,
  processor text not null,
  -- What the processor charges again; never a card number of a real card.
  reference text not null,
  details jsonb not null,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  unique (workspace_id, test_mode, user_id, processor, reference),
  foreign key (workspace_id, test_mode, user_id) references users on delete cascade
);

create table subscriptions (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  -- The initial order's number: the subscription's id in the API.
  number text not null,
  order_id uuid not null,
  user_id uuid not null,
  status text not null,
  currency text not null,
  -- Sum of unit price × quantity of one interval, before discount and tax.
  value minor_units not null,
  recurring_interval text not null,
  recurring_interval_count integer not null,
  -- Every boundary of the calendar is computed from the anchor; null while incomplete.
  anchor_at bigint,
  current_interval_start bigint,
  current_interval_end bigint,
  trial_start bigint,
  trial_end bigint,
  cancel_at_interval_end boolean not null default false,
  canceled_at bigint,
  ended_at bigint,
  paused_at bigint,
  resume_at bigint,
  cancel_reason text,
  payment_method_id uuid,
  -- The discount chosen at purchase and how many charged payments it has lowered.
  discount jsonb,
  discount_uses integer not null default 0,
  last_payment_id uuid,
  version integer not null default 0,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  unique (workspace_id, test_mode, number),
  foreign key (workspace_id, test_mode, user_id) references users,
  foreign key (workspace_id, test_mode, payment_method_id) references payment_methods
);
create index subscriptions_newest on subscriptions (workspace_id, test_mode, created_at desc, id desc);
create index subscriptions_of_user on subscriptions (workspace_id, test_mode, user_id);

create table orders (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  number text not null,
  status text not null,
  type text not null,
  value minor_units not null,
  tax minor_units not null,
  fee minor_units not null default 0,
  refunded_value minor_units not null default 0,
  total_items bigint not null,
  country text,
  currency text not null,
  user_id uuid not null,
  checkout_id uuid,
  session_id uuid,
  subscription_id uuid,
  -- The discount as it was when the order was priced, in the API's form.
  discount jsonb,
  discount_id uuid,
  last_payment_id uuid,
  -- Every later payment of the order takes the next number, locked with this row.
  payment_counter integer not null default 0,
  billing_details jsonb not null default '{}',
  tax_decision jsonb not null default '{}',
  location_evidence jsonb not null default '[]',
  -- What open checkouts hold for the order: keys, limits, the redemption.
  holds text not null default 'none' check (holds in ('none', 'held', 'lapsed', 'used')),
  holds_until bigint,
  expires_at bigint,
  paid_at bigint,
  corrected_at bigint,
  archived_at bigint,
  version integer not null default 0,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  unique (workspace_id, test_mode, number),
  foreign key (workspace_id, test_mode, user_id) references users,
  foreign key (workspace_id, test_mode, subscription_id) references subscriptions,
  foreign key (workspace_id, test_mode, checkout_id) references checkout_elements,
  check (refunded_value between 0 and greatest(value, 0) or corrected_at is not null)
);
create index orders_newest on orders (workspace_id, test_mode, created_at desc, id desc);

alter table subscriptions add foreign key (workspace_id, test_mode, order_id)
  references orders deferrable initially deferred;

create table checkout_sessions (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  element_id uuid,
  -- The cart of a session without an element: an offer named twice is bought twice.
  offer_ids uuid[] not null default '{}',
  order_id uuid,
  -- What the buyer has typed so far; never card data.
  form jsonb not null default '{}',
  last_error jsonb,
  ip_address text,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, order_id) references orders,
  foreign key (workspace_id, test_mode, element_id) references checkout_elements on delete cascade,
  check ((element_id is null) = (cardinality(offer_ids) > 0))
);
create unique index checkout_sessions_by_link on checkout_sessions (id);

create table order_items (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  order_id uuid not null,
  position integer not null,
  offer_id uuid,
  product_id uuid,
  variant_id uuid,
  name text not null,
  internal_id text,
  -- The inputs and the outcome of the line's sum, kept so that every amount explains itself.
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
  -- Short forms of the catalogue's objects as they were: later edits change no history.
  product jsonb,
  variant jsonb,
  offer jsonb,
  custom_fields jsonb not null default '{}',
  limit_held boolean not null default false,
  fulfilment text not null check (fulfilment in ('none', 'waiting', 'delivered', 'awaiting_stock', 'revoked')),
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, order_id) references orders on delete cascade,
  foreign key (workspace_id, test_mode, offer_id) references offers
);
create index order_items_of_order on order_items (workspace_id, test_mode, order_id, position);
create index order_items_awaiting_stock on order_items (workspace_id, test_mode, offer_id)
  where fulfilment = 'awaiting_stock';
create index order_items_custom_fields on order_items using gin (custom_fields jsonb_path_ops);

alter table offer_keys add foreign key (workspace_id, test_mode, order_id) references orders;
alter table offer_keys add foreign key (workspace_id, test_mode, order_item_id) references order_items;

create table payments (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  order_id uuid not null,
  order_number text not null,
  number text not null,
  type text not null,
  status text not null,
  value minor_units not null check (value >= 0),
  tax minor_units not null,
  fee minor_units not null default 0,
  refunded_value minor_units not null default 0 check (refunded_value between 0 and value),
  currency text not null,
  country text,
  user_id uuid not null,
  subscription_id uuid,
  checkout_id uuid,
  discount jsonb,
  invoice_number text,
  -- The secret of the page where the buyer authenticates or pays this payment.
  pay_token text not null,
  period_start bigint,
  period_end bigint,
  paid_at bigint,
  archived_at bigint,
  version integer not null default 0,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  unique (workspace_id, test_mode, number),
  foreign key (workspace_id, test_mode, order_id) references orders,
  foreign key (workspace_id, test_mode, user_id) references users,
  foreign key (workspace_id, test_mode, subscription_id) references subscriptions,
  foreign key (workspace_id, test_mode, checkout_id) references checkout_elements,
  check (type <> 'subscription_interval' or (subscription_id is not null and period_start is not null))
);
create index payments_newest on payments (workspace_id, test_mode, created_at desc, id desc);
create index payments_of_order on payments (workspace_id, test_mode, order_id, created_at);
create index payments_of_subscription on payments (workspace_id, test_mode, subscription_id, created_at)
  where subscription_id is not null;
create unique index payments_one_per_period on payments (workspace_id, test_mode, subscription_id, period_start)
  where type = 'subscription_interval';
create unique index payments_pay_token on payments (pay_token);

create table charges (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  payment_id uuid not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  amount minor_units not null check (amount >= 0),
  currency text not null,
  fee minor_units not null default 0,
  processor text not null,
  processor_id text,
  off_session boolean not null,
  ip_address text,
  payment_method jsonb,
  decline text,
  decline_reason text,
  decline_message text,
  -- Where the buyer must go to authenticate, while the charge waits for it.
  action_path text,
  look_count integer not null default 0,
  settled_at bigint,
  reversed_at bigint,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, payment_id) references payments
);
create index charges_of_payment on charges (workspace_id, test_mode, payment_id, created_at);
-- The sandbox names a charge alone on its authentication page.
create unique index charges_by_link on charges (id);
-- A payment is charged by one attempt at a time: the second of two tabs finds this key taken.
create unique index charges_one_pending on charges (workspace_id, test_mode, payment_id) where status = 'pending';

create table subscription_items (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  subscription_id uuid not null,
  position integer not null,
  offer_id uuid,
  product_id uuid,
  variant_id uuid,
  name text not null,
  internal_id text,
  unit_price minor_units not null,
  quantity bigint not null check (quantity >= 1),
  currency text not null,
  inclusive boolean not null,
  tax_reason text not null,
  tax_rates jsonb not null default '[]',
  product jsonb,
  variant jsonb,
  offer jsonb,
  custom_fields jsonb not null default '{}',
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, subscription_id) references subscriptions on delete cascade,
  foreign key (workspace_id, test_mode, offer_id) references offers
);
create index subscription_items_of on subscription_items (workspace_id, test_mode, subscription_id, position);

create table discount_redemptions (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  discount_id uuid not null,
  order_id uuid not null,
  user_id uuid not null,
  status text not null check (status in ('held', 'used', 'released')),
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, discount_id) references discounts,
  foreign key (workspace_id, test_mode, order_id) references orders,
  foreign key (workspace_id, test_mode, user_id) references users
);
create index discount_redemptions_of_user on discount_redemptions (workspace_id, test_mode, discount_id, user_id);
create unique index discount_redemptions_of_order on discount_redemptions (workspace_id, test_mode, order_id)
  where status <> 'released';

-- Gapless numbers: a row locked in the transaction that settles, since a sequence leaves gaps on rollback.
create table invoice_series (
  workspace_id uuid not null,
  test_mode boolean not null,
  series text not null,
  last_number bigint not null,
  primary key (workspace_id, test_mode, series),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
