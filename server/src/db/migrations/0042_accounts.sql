-- Who it is: accounts, what they are members of, and how they prove themselves. An account belongs to no workspace.

create table accounts (
  id uuid primary key,
  email text not null,
  email_normal text not null,
  name text not null default '',
  language text not null default 'en',
  -- argon2id; null = it signs in by other means.
  password_hash text,
  installation_admin boolean not null default false,
  -- Real time, as everything here. When somebody has shown to read its mailbox; null = nobody yet.
  email_proved_at bigint,
  -- Made by an invitation's shown link: until the mailbox is proved it acts in this workspace alone.
  confined_workspace_id uuid references workspaces (id) on delete cascade,
  disabled_at bigint,
  created_at bigint not null,
  constraint accounts_email unique (email_normal)
);

create table memberships (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  account_id uuid not null references accounts (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'manager', 'support', 'developer', 'custom')),
  -- Of a Custom member: area to none, read or write.
  permissions jsonb,
  notifications text[] not null default '{}',
  -- Raised by edits.
  version integer not null default 1,
  created_at bigint not null,
  primary key (workspace_id, id),
  constraint memberships_of_account unique (workspace_id, account_id),
  check ((role = 'custom') = (permissions is not null))
);
create unique index memberships_one_owner on memberships (workspace_id) where role = 'owner';
create index memberships_by_account on memberships (account_id);

-- One account per e-mail, with the newest password; the first workspace's first owner runs the installation.
insert into accounts (id, email, email_normal, password_hash, created_at)
  select distinct on (email_normal) id, email, email_normal, password_hash,
    min(created_at) over (partition by email_normal)
  from members order by email_normal, created_at desc, id desc;
insert into memberships (workspace_id, id, account_id, role, created_at)
  select m.workspace_id, m.id, a.id,
    case when lower(m.role) <> 'owner' then
        case when lower(m.role) in ('admin', 'manager', 'support', 'developer') then lower(m.role) else 'support' end
      when row_number() over (partition by m.workspace_id, lower(m.role) order by m.created_at, m.id) = 1 then 'owner'
      else 'admin' end,
    m.created_at
  from members m join accounts a on a.email_normal = m.email_normal;
update accounts set installation_admin = true where id = (
  select m.account_id from memberships m join workspaces w on w.id = m.workspace_id
  where m.role = 'owner' order by w.created_at, w.id limit 1);
drop table members;

alter table workspaces add column require_second_factor boolean not null default false;

create table account_sessions (
  id uuid primary key,
  account_id uuid not null,
  -- SHA-256 of the cookie's token.
  token_hash text not null,
  -- How it came to be: password, link, passkey, oidc, setup, sign_up.
  method text not null,
  -- Whether two factors were shown, or one that stands for both.
  two_factor boolean not null,
  -- When its account last proved itself afresh; null = never, or locked since.
  proved_at bigint,
  ip_address text not null,
  user_agent text not null,
  created_at bigint not null,
  -- Written at most once a minute.
  used_at bigint not null,
  ends_at bigint not null,
  constraint account_sessions_token unique (token_hash)
);
create index account_sessions_by_account on account_sessions (account_id);
create index account_sessions_by_end on account_sessions (ends_at);

-- What is used up once: links, the step between two factors, challenges of passkeys, states of OIDC.
create table account_tokens (
  id uuid primary key,
  kind text not null,
  account_id uuid,
  token_hash text not null,
  params jsonb not null default '{}',
  tries integer not null default 0,
  ends_at bigint not null,
  created_at bigint not null,
  constraint account_tokens_token unique (kind, token_hash)
);
create index account_tokens_by_account on account_tokens (account_id, kind);
create index account_tokens_by_end on account_tokens (ends_at);

-- Failed tries, by a hash of what they are counted for.
create table account_throttles (
  subject text primary key,
  failures integer not null,
  free_at bigint not null,
  ends_at bigint not null
);
create index account_throttles_by_end on account_throttles (ends_at);

-- Letters to accounts: sent by the mail server, or nowhere. They are in no list of mails.
create table account_mails (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  -- Erased once it was sent or its link is over.
  params jsonb,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'dropped')),
  attempts integer not null default 0,
  due_at bigint not null,
  lease_until bigint not null default 0,
  ends_at bigint not null,
  created_at bigint not null
);
create index account_mails_due on account_mails (due_at) where status = 'queued';
create index account_mails_by_recipient on account_mails (recipient, kind, created_at);
create index account_mails_by_age on account_mails (created_at);

create table account_audit (
  id uuid primary key,
  -- Null where nobody has an account of that e-mail.
  account_id uuid,
  operation text not null,
  details jsonb not null default '{}',
  ip_address text,
  request_id text,
  created_at bigint not null
);
create index account_audit_by_account on account_audit (account_id, created_at);
create index account_audit_by_age on account_audit (created_at);

create table account_totp (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- Sealed by SECRETS_KEY.
  secret text not null,
  -- Null while it waits for its first code.
  confirmed_at bigint,
  -- A step counts once.
  last_step bigint not null default 0,
  created_at bigint not null
);
create table account_recovery_codes (
  account_id uuid not null references accounts (id) on delete cascade,
  code_hash text not null,
  used_at bigint,
  primary key (account_id, code_hash)
);
create table account_passkeys (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null,
  credential_id text not null,
  public_key text not null,
  counter bigint not null,
  transports text[] not null default '{}',
  created_at bigint not null,
  last_used_at bigint,
  constraint account_passkeys_credential unique (credential_id)
);
create index account_passkeys_by_account on account_passkeys (account_id);
create table account_identities (
  issuer text not null,
  subject text not null,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at bigint not null,
  primary key (issuer, subject)
);
create index account_identities_by_account on account_identities (account_id);
