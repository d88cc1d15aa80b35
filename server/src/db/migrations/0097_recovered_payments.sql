-- Expand. What came in after a decline is read from the payments that it came in for, and not from every charge that
-- failed and its payment.

-- When the first charge of the payment that was settled was declined, ms on the workspace's clock; null = it was not.
alter table payments add column first_failed_at bigint;

update payments p set first_failed_at = f.settled_at
from charges f
where f.workspace_id = p.workspace_id and f.test_mode = p.test_mode and f.payment_id = p.id
  and f.status = 'failed' and f.settled_at is not null and f.amount > 0
  and not exists (
    select from charges e
    where e.workspace_id = f.workspace_id and e.test_mode = f.test_mode and e.payment_id = f.payment_id
      and e.settled_at is not null
      and (e.settled_at, e.created_at, e.id) < (f.settled_at, f.created_at, f.id));

-- By a trigger, since a charge is declined in more than one way. A payment has one open charge at most, so that whatever
-- is settled later is later.
create function note_first_failure() returns trigger language plpgsql as $$
begin
  update payments p set first_failed_at = new.settled_at
  where p.workspace_id = new.workspace_id and p.test_mode = new.test_mode and p.id = new.payment_id
    and not exists (
      select from charges e
      where e.workspace_id = new.workspace_id and e.test_mode = new.test_mode and e.payment_id = new.payment_id
        and e.settled_at is not null and e.id <> new.id);
  return null;
end $$;
create trigger charges_note_first_failure after insert on charges
  for each row when (new.status = 'failed' and new.settled_at is not null and new.amount > 0)
  execute function note_first_failure();
create trigger charges_note_first_failure_settled after update of settled_at on charges
  for each row when (new.status = 'failed' and new.settled_at is not null and old.settled_at is null and new.amount > 0)
  execute function note_first_failure();

create index payments_recovered on payments (workspace_id, test_mode, first_failed_at, id) include (currency)
  where first_failed_at is not null and paid_at is not null;
