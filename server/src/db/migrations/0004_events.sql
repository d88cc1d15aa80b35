-- The telling: events, the webhooks that hear them, deliveries and their attempts.

-- A UUIDv7 of a moment (ms), for rows that one statement makes in a number it alone knows: 48 bits of time
-- in front keep the index local, 74 random ones stay from gen_random_uuid().
create function uuid_v7(at_ms bigint) returns uuid language sql volatile parallel safe
  return encode(
    set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing substring(int8send(at_ms) from 3) from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid;

create table events (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  type text not null,
  idempotency_key uuid not null,
  order_id uuid,
  payment_id uuid,
  subscription_id uuid,
  -- What changed and its version after the change: one event per change and type.
  entity_id uuid not null,
  entity_version integer not null,
  -- The exact bytes that every attempt sends.
  body text not null,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  unique (workspace_id, test_mode, entity_id, type, entity_version),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
create index events_newest on events (workspace_id, test_mode, created_at desc, id desc);
create index events_of_order on events (workspace_id, test_mode, order_id, created_at desc, id desc);
create index events_of_subscription on events (workspace_id, test_mode, subscription_id, created_at desc, id desc)
  where subscription_id is not null;

create table webhooks (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  url text not null,
  status text not null check (status in ('active', 'inactive')),
  health text not null default 'ok' check (health in ('ok', 'failing', 'blocked', 'disabled')),
  secret text not null,
  previous_secret text,
  previous_secret_until bigint,
  events text[] not null,
  description text,
  last_success_at bigint,
  last_failure_at bigint,
  deleted_at bigint,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);

create table webhook_deliveries (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  status text not null check (status in ('waiting', 'delivered', 'failed', 'dropped')),
  reason text,
  resend_of uuid,
  attempt_count integer not null default 0,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, webhook_id) references webhooks on delete cascade,
  foreign key (workspace_id, test_mode, event_id) references events on delete cascade
);
create unique index webhook_deliveries_once on webhook_deliveries (workspace_id, test_mode, event_id, webhook_id)
  where resend_of is null;

create table webhook_attempts (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  sequence integer not null,
  status_code integer,
  error text,
  -- Why there was no status, in a line for people.
  error_detail text,
  response_text text,
  -- The receiver said more than is kept.
  response_cut boolean not null default false,
  -- The address that was reached, so that an audit can tell where bytes went.
  address text,
  duration_ms integer not null,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  unique (workspace_id, test_mode, delivery_id, sequence),
  foreign key (workspace_id, test_mode, delivery_id) references webhook_deliveries on delete cascade
);
create index webhook_attempts_newest on webhook_attempts (workspace_id, test_mode, webhook_id, created_at desc, id desc);
