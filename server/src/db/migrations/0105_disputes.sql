-- Expand. A charge may be disputed more than once, and a bank may inquire before it takes anything: each dispute has its own
-- id, is known by the processor's, and says until when it is to be answered, and where.
alter table disputes
  -- Of the release before, which writes none.
  add column id uuid not null default gen_random_uuid(),
  add column connection_id uuid,
  add column reason text,
  -- Real ms.
  add column evidence_due_at bigint,
  add column processor_url text,
  add column evidence jsonb,
  -- What a lost one has become.
  add column refund_id uuid;
update disputes set id = charge_id;
update disputes d set connection_id = c.connection_id from charges c
  where c.workspace_id = d.workspace_id and c.test_mode = d.test_mode and c.id = d.charge_id;
alter table disputes
  drop constraint disputes_pkey,
  drop constraint disputes_status_check,
  drop constraint disputes_amount_check;
alter table disputes
  add constraint disputes_pkey primary key (workspace_id, test_mode, id),
  -- `inquiry`: nothing is taken. `none`: an inquiry, or a dispute that was stopped, that came to nothing.
  add constraint disputes_status_check check (status in ('inquiry', 'open', 'won', 'lost', 'none')),
  -- 0: all had gone back before.
  add constraint disputes_amount_check check (amount >= 0);
create index disputes_of_charge on disputes (workspace_id, test_mode, charge_id);
create unique index disputes_object on disputes (workspace_id, test_mode, connection_id, processor_id)
  where connection_id is not null and processor_id is not null;
drop index disputes_newest;
create index disputes_newest on disputes (workspace_id, test_mode, opened_at desc, id desc);
drop index disputes_by_opened_at;
create index disputes_by_opened_at on disputes (workspace_id, test_mode, opened_at, id);

-- When a processor first warned of it: what follows from that is done once.
alter table charges add column warned_at bigint;
