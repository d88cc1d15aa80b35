-- Expand. A copy of a store must not charge, mail or tell anybody anything until somebody says what it is. What the
-- installation was when it last ran is kept, to be compared with what it is; a workspace that was restored is held alone.

create table installation_state (
  name text primary key,
  system_identifier text,
  data_dir_id text,
  public_url text,
  epoch integer not null default 0,
  is_copy boolean not null default false,
  held_since bigint,
  held_reason text,
  check ((held_since is null) = (held_reason is null))
);

insert into installation_state (name) values ('installation');

alter table stores
  add column held_since bigint,
  add column held_reason text;

-- Numbers that a lost copy may have given out, which are never given again: invariant 20 knows them as no gap.
create table invoice_gaps (
  workspace_id uuid not null,
  test_mode boolean not null,
  series text not null,
  from_number bigint not null,
  to_number bigint not null,
  created_at bigint not null,
  primary key (workspace_id, test_mode, series, from_number),
  foreign key (workspace_id, test_mode) references stores on delete cascade,
  check (to_number >= from_number)
);
