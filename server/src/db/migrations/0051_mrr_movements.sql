-- Monthly recurring revenue: each change of what a subscription brings in a month, written with the change.

create table mrr_movements (
  workspace_id uuid not null,
  test_mode boolean not null,
  subscription_id uuid not null,
  -- Counts the movements of the subscription, so that two changes at once cannot both follow the same one.
  position integer not null check (position > 0),
  kind text not null check (kind in (
    'opening', 'new', 'imported', 'expansion', 'contraction', 'churn', 'reactivation', 'paused', 'resumed')),
  delta minor_units not null check (delta <> 0 or kind = 'opening'),
  -- What the subscription brings from here on.
  after minor_units not null check (after >= 0),
  currency text not null,
  -- On the workspace's clock.
  at bigint not null,
  -- The status that the change led to.
  cause text not null,
  -- The event that told of it; null where none did.
  event_id uuid,
  primary key (workspace_id, test_mode, subscription_id, position),
  foreign key (workspace_id, test_mode, subscription_id) references subscriptions
);
create index mrr_movements_by_time on mrr_movements (workspace_id, test_mode, currency, at, subscription_id);

-- What was written stays; a purge alone takes a workspace's rows away, as it does those of the ledger.
create function mrr_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('counterfoil.purge', true) = old.workspace_id::text then return old; end if;
  end if;
  raise exception 'movements are only ever added to' using errcode = 'restrict_violation';
end $$;
create trigger mrr_movements_kept before update or delete on mrr_movements
  for each row execute function mrr_keep();
create trigger mrr_movements_not_emptied before truncate on mrr_movements
  for each statement execute function mrr_keep();

-- What lives already opens its account, at the moment of this migration; of the time before nothing is known.
-- The sum is that of computeMrr: lines less a discount for ever, without tax, brought to a month.
with recurring as (
  select s.workspace_id, s.test_mode, s.id, s.status, s.currency,
    case s.recurring_interval when 'month' then 1 when 'year' then 1 else 365 end::numeric as by,
    case s.recurring_interval when 'month' then 1 when 'week' then 84 else 12 end::numeric
      * s.recurring_interval_count as over,
    case when s.discount ->> 'duration' = 'forever' then s.discount end as discount
  from subscriptions s
  where s.status in ('trialing', 'active', 'past_due', 'unpaid', 'paused')
), lines as (
  select r.*, i.id as item_id, i.offer_id, i.unit_price, i.quantity, i.inclusive, i.position,
    (i.unit_price * i.quantity)::numeric as subtotal,
    (select coalesce(sum(round((rate ->> 'percentage')::numeric * 10000)), 0)
      from jsonb_array_elements(i.tax_rates) rate) as ppm,
    r.discount is not null and i.offer_id is not null and i.unit_price * i.quantity > 0
      and ((r.discount ->> 'includesAllOffers')::boolean
        or r.discount -> 'includedOffers' ? i.offer_id::text)
      and not r.discount -> 'excludedOffers' ? i.offer_id::text as is_eligible
  from recurring r
  join subscription_items i on i.workspace_id = r.workspace_id and i.test_mode = r.test_mode
    and i.subscription_id = r.id
), weighed as (
  select l.*, sum(case when is_eligible then subtotal else 0 end)
      over (partition by workspace_id, test_mode, id) as eligible
  from lines l
), shared as (
  select w.*, least((discount ->> 'amount')::numeric, eligible) as fixed,
    case when is_eligible and eligible > 0
      then least((discount ->> 'amount')::numeric, eligible) * subtotal / eligible else 0 end as share
  from weighed w
), ranked as (
  select s.*, floor(share) as part, row_number() over (partition by workspace_id, test_mode, id
      order by share - floor(share) desc, ppm, coalesce(offer_id::text, '') collate "C", unit_price, quantity,
        inclusive, position) as place
  from shared s
), discounted as (
  select r.*, case
      when not is_eligible then 0
      when discount ->> 'amountType' = 'percentage'
        then round(subtotal * (discount ->> 'amount')::numeric / 10000)
      else part + case when place <= fixed - sum(part) over (partition by workspace_id, test_mode, id)
        then 1 else 0 end
    end as off
  from ranked r
), sums as (
  select workspace_id, test_mode, id, sum(case when inclusive
      then round((subtotal - off) * 1000000 / (1000000 + ppm)) else subtotal - off end) as net
  from discounted group by workspace_id, test_mode, id
), opened as (
  select r.*, case when r.status in ('active', 'past_due')
      then round(coalesce(sums.net, 0) * r.by / r.over) else 0 end as mrr
  from recurring r left join sums using (workspace_id, test_mode, id)
)
insert into mrr_movements (workspace_id, test_mode, subscription_id, position, kind, delta, after, currency, at, cause)
select o.workspace_id, o.test_mode, o.id, 1, 'opening', o.mrr, o.mrr, o.currency,
  (extract(epoch from now()) * 1000)::bigint + t.clock_offset_ms, o.status
from opened o join stores t on t.workspace_id = o.workspace_id and t.test_mode = o.test_mode;
