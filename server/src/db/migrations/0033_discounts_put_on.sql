-- A discount that is put on a running subscription: it counts from the next interval.

alter table subscriptions
  -- Periods that begin from then on are lowered by the discount; null = all, it came with the purchase.
  add column discount_since bigint,
  -- The discount that was in force in the period in which another was put on.
  add column discount_before jsonb;

-- The purchase's redemption is one in all; those of discounts put on later stand beside it.
alter table discount_redemptions add column put_on boolean not null default false;
drop index discount_redemptions_of_order;
create unique index discount_redemptions_of_order on discount_redemptions (workspace_id, test_mode, order_id)
  where status <> 'released' and not put_on;
