-- Told to processors with each charge, so that what is ours there is known from a copy's: carried by backups, and new in
-- a copy and after a reset.
alter table stores add column install_id uuid not null default gen_random_uuid();

-- Whom a processor knows one of our users as: it keeps methods by its own customer.
create table processor_customers (
  workspace_id uuid not null,
  test_mode boolean not null,
  connection_id uuid not null,
  user_id uuid not null,
  -- Its own name there.
  customer_id text not null,
  primary key (workspace_id, test_mode, connection_id, user_id),
  foreign key (workspace_id, test_mode, connection_id) references processors on delete cascade
);
