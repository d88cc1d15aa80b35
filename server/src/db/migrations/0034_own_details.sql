-- A subscription is billed by its own details and method, copied at its purchase: a later purchase under the same
-- e-mail, which proves nothing, changes neither.

-- Null = none: it ended before it had its own, or its user was erased.
alter table subscriptions add column billing_details jsonb;
-- An incomplete one is its purchase's; the others have been billed by their user's.
update subscriptions s
set billing_details = case when s.status = 'incomplete' and o.billing_details <> '{}' then o.billing_details
    else u.billing_details end
from users u, orders o
where u.workspace_id = s.workspace_id and u.test_mode = s.test_mode and u.id = s.user_id
  and o.workspace_id = s.workspace_id and o.test_mode = s.test_mode and o.id = s.order_id
  -- Of one that has ended a charge may still be under way.
  and (s.ended_at is null or exists (select from payments p
    where p.workspace_id = s.workspace_id and p.test_mode = s.test_mode and p.subscription_id = s.id
      and p.status in ('PENDING', 'FAILED', 'UNPAID')));

alter table payment_methods
  -- Whether it is the user's to be chosen for anything; false = given for a subscription alone, by who holds its link.
  add column kept boolean not null default true,
  -- Of a card; null where the processor does not tell.
  add column exp_month integer check (exp_month between 1 and 12),
  add column exp_year integer;
-- Null = it was never chosen: the default is the one chosen last.
alter table payment_methods alter column chosen_at drop not null;
-- A user's methods, for who asks for all of them or for the default.
create index payment_methods_of_user on payment_methods (workspace_id, test_mode, user_id) where kept;

alter table sandbox_charges
  -- As typed; null for a stored card, and for a bank transfer.
  add column exp_month integer,
  add column exp_year integer;
