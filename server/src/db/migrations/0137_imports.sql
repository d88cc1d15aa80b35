-- What is brought along from another service: a file of lines, what is planned for each, and which of ours each one is.
create table imports (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  source text not null,
  account text,
  currency text,
  status text not null default 'receiving'
    check (status in ('receiving', 'planning', 'planned', 'committing', 'committed', 'failed')),
  sha256 text,
  line_count integer not null default 0,
  -- How far the plan is: a kind, and the line of it that was looked at last.
  planned_kind text,
  planned_line integer not null default 0,
  plan jsonb,
  plan_hash text,
  skip_errors boolean not null default false,
  -- How far the test clock is moved to try the import; null = it is meant.
  rehearse text,
  rehearsal jsonb,
  reason text,
  maker text not null,
  created_at bigint not null,
  created_real_ms bigint not null default real_now_ms(),
  committed_at bigint,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);

create table import_rows (
  workspace_id uuid not null,
  test_mode boolean not null,
  import_id uuid not null,
  line integer not null,
  kind text not null,
  ref text,
  -- Null once nobody asks for it any more.
  body jsonb,
  outcome text check (outcome in ('new', 'changed', 'same', 'conflict', 'refused')),
  -- All that the plan has decided: another text means that the plan does not hold any more.
  decision text,
  code text,
  path text,
  message text,
  warnings jsonb not null default '[]',
  -- What will be charged within the first month: [{day, amount}].
  charges jsonb not null default '[]',
  -- The next payment here and there, where the two differ.
  price_change jsonb,
  done boolean not null default false,
  primary key (workspace_id, test_mode, import_id, line),
  foreign key (workspace_id, test_mode, import_id) references imports on delete cascade
);

create index import_rows_by_ref on import_rows (workspace_id, test_mode, import_id, kind, ref);
create index import_rows_to_do on import_rows (workspace_id, test_mode, import_id, kind, line) where not done;

create table import_refs (
  workspace_id uuid not null,
  test_mode boolean not null,
  source text not null,
  kind text not null,
  ref text not null,
  object_id uuid not null,
  -- Of the line that was brought in last, and of our object as it was then.
  body_hash text not null,
  object_version integer not null,
  -- Of a subscription: when it would have been charged there next, and how much.
  next_at bigint,
  next_total minor_units,
  import_id uuid not null,
  primary key (workspace_id, test_mode, source, kind, ref),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);

create index import_refs_by_object on import_refs (workspace_id, test_mode, object_id);
create index import_refs_by_import on import_refs (workspace_id, test_mode, import_id, kind, ref);

alter table orders add column imported jsonb;
-- What was paid where a payment was brought in from; null = it was to be paid here.
alter table payments
  add column paid_elsewhere minor_units,
  add column paid_elsewhere_tax minor_units;
alter table users add column brought_by uuid;
alter table offer_keys add column imported jsonb;
alter table subscriptions
  add column brought_by uuid,
  -- It is here, and nothing is done for it until it is activated.
  add column waiting boolean not null default false;

create index subscriptions_brought on subscriptions (workspace_id, test_mode, brought_by, id) where waiting;

-- What was paid elsewhere makes nobody a customer here.
create or replace function mark_first_of_user() returns trigger language plpgsql as $$
begin
  new.is_first_of_user := new.paid_elsewhere is null and not exists (
    select from payments e
    where e.workspace_id = new.workspace_id and e.test_mode = new.test_mode and e.user_id = new.user_id
      and e.is_first_of_user and (e.paid_at, e.id) < (new.paid_at, new.id));
  return new;
end $$;
