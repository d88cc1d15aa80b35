-- What we have begun or given up of an order at PayPal, which can cancel none: of a capture and a cancel that come at
-- once the first to write its mark is the one that counts.
create table paypal_marks (
  workspace_id uuid not null,
  test_mode boolean not null,
  connection_id uuid not null,
  -- Of the order or setup token there.
  object_id text not null,
  state text not null check (state in ('begun', 'closed')),
  -- Why it was declined; null = it was not, or is cancelled.
  decline text check (decline in ('soft', 'hard', 'authentication', 'technical')),
  reason text,
  primary key (workspace_id, test_mode, connection_id, object_id),
  foreign key (workspace_id, test_mode, connection_id) references processors on delete cascade
);
