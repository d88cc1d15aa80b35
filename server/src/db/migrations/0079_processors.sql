-- Expand. A connection is one account of a kind of processor in one store. Charges, kept methods and refunds name
-- theirs, and an object of a processor belongs to one row of ours.

create table processors (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  kind text not null,
  name text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'retired')),
  -- The lowest that fits is asked first.
  priority integer not null default 0,
  -- What it is asked for; none = all that its kind takes.
  currencies text[] not null default '{}',
  countries text[] not null default '{}',
  methods text[] not null default '{}',
  -- At the processor; null where the kind has no accounts.
  account_id text,
  account_country text,
  account_currency text,
  -- Sealed; null where the kind has none or they were given up, 'lost' where no key opens them.
  credentials text,
  key_last4 text,
  -- What the kind is told beside credentials, such as the account that transfers go to.
  details jsonb not null default '{}',
  -- By real time: a processor does not wait for a test clock.
  health text not null default 'ok' check (health in ('ok', 'degraded', 'broken', 'silent')),
  health_since bigint not null,
  health_reason text,
  created_at bigint not null,
  retired_at bigint,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade,
  check (credentials is null or credentials = 'lost' or credentials like 'v1.%')
);
create unique index processors_one_sandbox on processors (workspace_id, test_mode) where kind = 'sandbox';
create unique index processors_of_account on processors (workspace_id, test_mode, kind, account_id)
  where account_id is not null;

-- Each test store has a sandbox, whose id follows from the workspace's: nobody reads a row to charge a test card.
insert into processors (workspace_id, test_mode, id, kind, name, health_since, created_at)
select s.workspace_id, true,
  (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-8' || substr(h, 14, 3) || '-8' || substr(h, 18, 3) || '-'
    || substr(h, 21, 12))::uuid,
  'sandbox', 'Sandbox', w.created_at, w.created_at
from stores s
join workspaces w on w.id = s.workspace_id
cross join lateral (select encode(sha256(convert_to('sandbox:' || s.workspace_id, 'utf8')), 'hex') as h) as hashed
where s.test_mode;

-- Null = marked by hand, or charged by nobody.
alter table charges
  add column connection_id uuid,
  -- Until when a method that takes days is to have brought the money; null for all others.
  add column expected_by bigint,
  -- From here on no object of a processor is named in it: it was called off before there was one.
  add column called_off_at bigint,
  -- What a person has said of money that came outside.
  add column received_at bigint,
  add column received_reference text;
alter table payment_methods add column connection_id uuid;
alter table refunds add column connection_id uuid;

update charges c set connection_id = p.id from processors p
where p.workspace_id = c.workspace_id and p.test_mode = c.test_mode and p.kind = c.processor;
update payment_methods m set connection_id = p.id from processors p
where p.workspace_id = m.workspace_id and p.test_mode = m.test_mode and p.kind = m.processor;
update refunds r set connection_id = p.id from processors p
where p.workspace_id = r.workspace_id and p.test_mode = r.test_mode and p.kind = r.processor;

alter table charges add foreign key (workspace_id, test_mode, connection_id) references processors;
alter table payment_methods add foreign key (workspace_id, test_mode, connection_id) references processors;
alter table refunds add foreign key (workspace_id, test_mode, connection_id) references processors;

-- Led by the processor's id, so that it finds a charge by what stands on a statement, too.
create unique index charges_of_object on charges (workspace_id, test_mode, processor_id, connection_id)
  where processor_id is not null;
drop index charges_of_processor;
create unique index refunds_of_object on refunds (workspace_id, test_mode, processor_id, connection_id)
  where processor_id is not null;
