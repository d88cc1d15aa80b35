-- Workspaces as their members and the installation see them: who put one into its state, who is offered what.

alter table workspaces
  -- Who suspended or archived it; null while it is active.
  add column state_by text check (state_by in ('owner', 'admin', 'sweep')),
  -- Real time, as all of this; null while it is active.
  add column state_since bigint,
  -- An admin archived it once: the sweep never touches it again.
  add column kept_by_admin boolean not null default false;
update workspaces set state_by = 'admin', state_since = coalesce(archived_at, created_at),
  kept_by_admin = state = 'archived'
  where state <> 'active';

-- The Owner's offer to a member; one at a time.
create table workspace_transfers (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  member_id uuid not null,
  offered_by uuid not null,
  expires_at bigint not null,
  created_at bigint not null,
  foreign key (workspace_id, member_id) references memberships on delete cascade
);

create table invitations (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  email text not null,
  email_normal text not null,
  role text not null check (role in ('admin', 'manager', 'support', 'developer', 'custom')),
  permissions jsonb,
  notifications text[] not null default '{}',
  -- An account, or a key pair, as audit rows name them.
  invited_by text not null,
  -- SHA-256 of two tokens: whoever was mailed one has shown to read the mailbox.
  mailed_token_hash text not null,
  shown_token_hash text not null,
  expires_at bigint not null,
  accepted_at bigint,
  revoked_at bigint,
  created_at bigint not null,
  primary key (workspace_id, id),
  constraint invitations_mailed unique (workspace_id, mailed_token_hash),
  constraint invitations_shown unique (workspace_id, shown_token_hash),
  check ((role = 'custom') = (permissions is not null))
);
create unique index invitations_open on invitations (workspace_id, email_normal)
  where accepted_at is null and revoked_at is null;
create index invitations_newest on invitations (workspace_id, created_at desc, id desc);

-- When a key pair of it was last used, or its dashboard: noted now and then, beside rows that hardly ever change.
create table workspace_activity (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  active_at bigint not null
) with (fillfactor = 70);

-- What the sweep has warned of; gone when the workspace is used again.
create table workspace_sweeps (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  step text not null check (step in ('suspended', 'archived', 'purged')),
  -- When its people were told that it stands idle, and when the two warnings went out.
  noticed_at bigint,
  first_at bigint,
  second_at bigint,
  -- The mail on its way: what it says counts once it was sent.
  mail_id uuid,
  -- The moment of the step, as it was told.
  acts_at bigint not null
);

create table installation_settings (
  name text primary key,
  body jsonb not null
);
