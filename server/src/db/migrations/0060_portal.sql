-- The buyers' portal: who is in, codes that are on their way, and how often somebody failed. Times are real.

create table portal_sessions (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  user_id uuid not null,
  -- SHA-256 of what a browser keeps; null until a merchant's link was opened.
  token_hash text,
  -- The same of a bearer, and of a link that opens once: both are a merchant's.
  bearer_hash text,
  link_hash text,
  -- How it came to be: code, password, merchant.
  method text not null check (method in ('code', 'password', 'merchant')),
  proved_at bigint not null,
  user_agent text not null,
  -- What a merchant's session is for.
  flow text,
  subscription_id uuid,
  offer_id uuid,
  return_url text,
  after_flow text,
  language text,
  open_until bigint,
  opened_at bigint,
  created_at bigint not null,
  -- Written at most once a minute.
  used_at bigint not null,
  ends_at bigint not null,
  revoked_at bigint,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, user_id) references users on delete cascade,
  constraint portal_sessions_token unique (workspace_id, test_mode, token_hash),
  constraint portal_sessions_bearer unique (workspace_id, bearer_hash),
  constraint portal_sessions_link unique (workspace_id, link_hash)
);
create index portal_sessions_of_user on portal_sessions (workspace_id, test_mode, user_id);
create index portal_sessions_by_end on portal_sessions (ends_at);

-- One row per mailbox, known or not: what was asked for, until a code proves it. The code itself is kept nowhere.
create table portal_codes (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  -- What was typed: an e-mail, an order number or a key; null once its mail is on its way.
  asked text,
  asked_as text not null check (asked_as in ('email', 'purchase')),
  -- SHA-256 of what was typed, and of the mailbox once a purchase has told it.
  mailbox_hash text not null,
  -- SHA-256 of what the browser keeps that asked.
  browser_hash text not null,
  -- Who reads the mailbox; null = nobody, or the mail is still to be written.
  user_id uuid,
  language text not null,
  -- Where the buyer wanted to go.
  path text,
  tries integer not null default 0,
  created_at bigint not null,
  ends_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade,
  foreign key (workspace_id, test_mode, user_id) references users on delete cascade,
  constraint portal_codes_mailbox unique (workspace_id, test_mode, mailbox_hash)
);
create index portal_codes_of_browser on portal_codes (workspace_id, test_mode, browser_hash);
create index portal_codes_of_user on portal_codes (workspace_id, test_mode, user_id);
create index portal_codes_by_end on portal_codes (ends_at);

-- Wrong codes and passwords of a store, minute by minute, and whether that was so many that it is on its guard.
create table portal_failures (
  workspace_id uuid not null,
  test_mode boolean not null,
  minute bigint not null,
  failures integer not null,
  primary key (workspace_id, test_mode, minute),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
create index portal_failures_by_age on portal_failures (minute);
create table portal_guards (
  workspace_id uuid not null,
  test_mode boolean not null,
  since bigint not null,
  primary key (workspace_id, test_mode),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);

-- Former addresses of a portal lead to the new one for half a year.
create table portal_former_slugs (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  slug text not null,
  ends_at bigint not null,
  primary key (workspace_id, slug)
);
create index portal_former_slugs_by_slug on portal_former_slugs (slug, ends_at);

-- A merchant's own name of a buyer, by which a session is opened for them.
create index users_by_internal_id on users (workspace_id, test_mode, internal_id) where internal_id is not null;
