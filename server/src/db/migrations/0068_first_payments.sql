-- Expand. New customers are read from their own first payments, and not from all that were ever made; sums of quarter
-- hours are read by their time, whatever their currency.

alter table payments add column is_first_of_user boolean not null default false;

update payments p set is_first_of_user = true
from (
  select distinct on (workspace_id, test_mode, user_id) workspace_id, test_mode, id
  from payments
  where paid_at is not null and type in ('one_time', 'subscription_initial')
  order by workspace_id, test_mode, user_id, paid_at, id
) f
where p.workspace_id = f.workspace_id and p.test_mode = f.test_mode and p.id = f.id;

-- At least the first one, so that an earlier one is found among those that are marked: of two that are paid at once each
-- may be, and whoever counts looks again. By a trigger,
-- since a payment becomes paid in more than one way.
create function mark_first_of_user() returns trigger language plpgsql as $$
begin
  new.is_first_of_user := not exists (
    select from payments e
    where e.workspace_id = new.workspace_id and e.test_mode = new.test_mode and e.user_id = new.user_id
      and e.is_first_of_user and (e.paid_at, e.id) < (new.paid_at, new.id));
  return new;
end $$;
create trigger payments_mark_first before insert on payments
  for each row when (new.paid_at is not null and new.type in ('one_time', 'subscription_initial'))
  execute function mark_first_of_user();
create trigger payments_mark_first_paid before update of paid_at on payments
  for each row when (new.paid_at is not null and old.paid_at is null
    and new.type in ('one_time', 'subscription_initial'))
  execute function mark_first_of_user();

create index payments_first_of_user on payments (workspace_id, test_mode, user_id, paid_at, id) where is_first_of_user;
create index payments_first_by_time on payments (workspace_id, test_mode, paid_at, id) where is_first_of_user;
create index figure_quarters_by_time on figure_quarters (workspace_id, test_mode, starts_at);
