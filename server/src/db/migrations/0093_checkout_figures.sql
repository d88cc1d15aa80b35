-- What becomes of checkouts, without a trace of who looked at them.

alter table checkout_sessions
  -- When its page was first looked at, on the workspace's clock; null = never, or before this was kept.
  add column viewed_at bigint,
  -- In which frame of a shop's page; null = it stood by itself.
  add column frame text check (frame in ('overlay', 'embed')),
  -- Somebody typed an e-mail address that can be one.
  add column started boolean not null default false;

create index checkout_sessions_by_view on checkout_sessions (workspace_id, test_mode, viewed_at)
  where viewed_at is not null;

-- Sessions that came to nothing and were deleted, by the UTC day on which they were looked at.
create table checkout_days (
  workspace_id uuid not null,
  test_mode boolean not null,
  -- Days since 1970-01-01.
  day bigint not null,
  -- `page` where it stood by itself.
  frame text not null,
  -- The element, or the offers: tells the rows of a day apart.
  cart text not null,
  element_id uuid,
  offer_ids uuid[] not null,
  viewed bigint not null,
  started bigint not null,
  primary key (workspace_id, test_mode, day, frame, cart),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
