-- What buyers do with their own account: another e-mail address, and a copy of what is kept of them. Times are real.

create table portal_email_changes (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  user_id uuid not null,
  old_email text not null,
  new_email text not null,
  language text not null,
  tries integer not null default 0,
  created_at bigint not null,
  -- Until when its code changes the address.
  code_ends_at bigint not null,
  changed_at bigint,
  -- The old mailbox said that it was not them.
  stopped_at bigint,
  -- Until when the old mailbox may say so.
  ends_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, user_id) references users on delete cascade
);
create index portal_email_changes_of_user on portal_email_changes (workspace_id, test_mode, user_id, created_at);
create index portal_email_changes_by_end on portal_email_changes (ends_at);

-- One per user: a newer one takes the place of an older one.
create table portal_exports (
  workspace_id uuid not null,
  test_mode boolean not null,
  user_id uuid not null,
  id uuid not null,
  -- Compressed by gzip; null until it is written.
  content bytea,
  failed boolean not null default false,
  created_at bigint not null,
  ends_at bigint not null,
  primary key (workspace_id, test_mode, user_id),
  foreign key (workspace_id, test_mode, user_id) references users on delete cascade
);
create index portal_exports_by_end on portal_exports (ends_at);
