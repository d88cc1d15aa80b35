-- Expand. A workspace that is being restored is there, and nobody sees it. Its rows go in by lots and as they were: what
-- triggers make of a sale at the moment when it happens was made of these long ago, and is asked of them as a whole at
-- the end.

alter table workspaces
  drop constraint workspaces_state_check,
  add constraint workspaces_state_check check (state in ('active', 'suspended', 'archived', 'restoring'));

create or replace function ledger_weigh() returns trigger language plpgsql as $$
begin
  -- A lot of rows may end in the midst of an entry.
  if current_setting('counterfoil.restore', true) = 'on' then return null; end if;
  if exists (select from added group by workspace_id, test_mode, entry_id, currency having sum(amount) <> 0) then
    raise exception 'a ledger entry does not sum to 0' using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function mark_first_of_user() returns trigger language plpgsql as $$
begin
  if current_setting('counterfoil.restore', true) = 'on' then return new; end if;
  new.is_first_of_user := not exists (
    select from payments e
    where e.workspace_id = new.workspace_id and e.test_mode = new.test_mode and e.user_id = new.user_id
      and e.is_first_of_user and (e.paid_at, e.id) < (new.paid_at, new.id));
  return new;
end $$;

create or replace function note_first_failure() returns trigger language plpgsql as $$
begin
  if current_setting('counterfoil.restore', true) = 'on' then return null; end if;
  update payments p set first_failed_at = new.settled_at
  where p.workspace_id = new.workspace_id and p.test_mode = new.test_mode and p.id = new.payment_id
    and not exists (
      select from charges e
      where e.workspace_id = new.workspace_id and e.test_mode = new.test_mode and e.payment_id = new.payment_id
        and e.settled_at is not null and e.id <> new.id);
  return null;
end $$;
