-- Expand. What people keep beside the store's own objects: notes, and views of lists.

create table notes (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  object text not null check (object in ('order', 'payment', 'subscription', 'user')),
  object_id uuid not null,
  text text not null,
  -- As audit rows name who asks.
  author text not null,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores (workspace_id, test_mode) on delete cascade
);
create index notes_of_object on notes (workspace_id, test_mode, object_id, created_at desc, id desc);

create table views (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  owner text not null,
  resource text not null,
  name text not null,
  -- As in the address of the page.
  query text not null,
  columns text[] not null default '{}',
  shared boolean not null default false,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores (workspace_id, test_mode) on delete cascade
);
create index views_of_owner on views (workspace_id, test_mode, owner, created_at desc, id desc);
create index views_shared on views (workspace_id, test_mode, created_at desc, id desc) where shared;
