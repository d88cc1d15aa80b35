-- Mails about purchases that were not finished.

-- The buyer of a session has asked to be reminded.
alter table checkout_sessions add column reminder_asked boolean not null default false;

-- Of each address that was reminded, by a hash of it: when last, and whether its owner wants no more.
create table reminded_addresses (
  workspace_id uuid not null,
  test_mode boolean not null,
  address_hash text not null,
  reminded_at bigint not null,
  stopped_at bigint,
  primary key (workspace_id, test_mode, address_hash),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);

create index reminded_addresses_over on reminded_addresses (reminded_at) where stopped_at is null;
