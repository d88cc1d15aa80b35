-- Expand. Files of lists: what was asked for, how far the file is, and where its next stretch goes on.

create table exports (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  kind text not null check (kind in ('list')),
  resource text not null,
  -- As in the address of the list.
  query text not null,
  -- Rows of it alone; none = all.
  ids text[] not null,
  -- Paths of the rows' fields, as the file's columns stand in order; none = whole rows.
  columns text[] not null,
  format text not null check (format in ('csv', 'ndjson')),
  -- As audit rows name who asks.
  maker text not null,
  -- Whoever may write no orders is shown no links that pay them.
  with_pay_urls boolean not null,
  rows bigint not null default 0,
  -- Null until the rows have been counted.
  rows_expected bigint,
  bytes bigint not null default 0,
  -- The list's own, of the page that comes next.
  cursor text,
  outcome text check (outcome in ('done', 'failed', 'canceled')),
  -- Why it failed.
  reason text,
  created_at bigint not null,
  ended_at bigint,
  -- Real time: files on disk do not wait for a test clock.
  expires_real_ms bigint not null,
  -- Its bytes are on disk, or may be.
  has_file boolean not null default true,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores (workspace_id, test_mode) on delete cascade
);
create index exports_newest on exports (workspace_id, test_mode, created_at desc, id desc);
