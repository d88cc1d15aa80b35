-- One trial a buyer, workspaces that stand still, and users that are erased.

-- The e-mail, in its normal form, that was told on this page that its trial of the product is spent.
alter table checkout_sessions add column trial_spent_by text;

-- Real time; null while it is not archived.
alter table workspaces add column archived_at bigint;
-- On the workspace's clock: until when its workspace was archived last. Periods that began before went by unpaid.
alter table subscriptions add column stood_still_until bigint;

alter table users
  -- On the workspace's clock.
  add column deletion_requested_at bigint,
  add column deletion_accepted_at bigint,
  add column erased_at bigint;
-- When the user that it tells of was erased; it is not sent any more.
alter table events add column erased_at bigint;
alter table mails drop constraint mails_status_check;
alter table mails add constraint mails_status_check
  check (status in ('queued', 'sent', 'kept', 'failed', 'dropped'));

-- Audit rows stay as they were written. A transaction that says whose rows it is about may take away what they tell of
-- a user who is erased (set local counterfoil.erasure = '<workspace id>'), rows whose time is over
-- (counterfoil.retention), and a workspace's rows as a whole (counterfoil.purge).
create function audit_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.workspace_id::text in (current_setting('counterfoil.purge', true),
      current_setting('counterfoil.retention', true)) then return old; end if;
  elsif tg_op = 'UPDATE' then
    if old.workspace_id::text = current_setting('counterfoil.erasure', true)
      and to_jsonb(new) - 'before' - 'after' = to_jsonb(old) - 'before' - 'after' then return new; end if;
  end if;
  raise exception 'an audit row is never changed' using errcode = 'restrict_violation';
end $$;
create trigger audit_log_kept before update or delete on audit_log
  for each row execute function audit_keep();
create trigger audit_log_not_emptied before truncate on audit_log
  for each statement execute function audit_keep();
