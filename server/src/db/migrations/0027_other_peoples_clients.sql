-- What the API declares of its objects, and what other people's clients send.

-- A product's right to withdraw, by its type until a merchant says otherwise.
alter table products add column withdrawal text not null default 'content'
  check (withdrawal in ('service', 'content', 'excluded'));
update products set withdrawal = 'service' where type in ('Subscription', 'OneTimePayment');

-- The language that a user chose; null = the browser's.
alter table users add column language text;

-- Sites that may frame one element, among those that the store's settings let frame anything; empty = all of these.
alter table checkout_elements add column allowed_origins text[] not null default '{}';

-- What prices in a pair's requests are written in.
alter table api_keys add column amounts text not null default 'minor' check (amounts in ('minor', 'major'));

-- Where a workspace's portal is found, the same in both modes.
alter table workspaces add column portal_slug text;
update workspaces w set portal_slug = s.slug || case when s.place = 1 then '' else '-' || s.place end
from (
  select id, slug, row_number() over (partition by slug order by created_at, id) as place
  from (
    select id, created_at,
      case when length(plain) >= 3 then plain else trim(both '-' from 'shop-' || plain) end as slug
    from (
      select id, created_at,
        trim(both '-' from left(regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g'), 32)) as plain
      from workspaces
    ) named
  ) slugged
) s where s.id = w.id;
-- A name may end in a number that another one was given.
update workspaces w set portal_slug = left(w.portal_slug, 26) || '-' || right(replace(w.id::text, '-', ''), 12)
where exists (select from workspaces o where o.portal_slug = w.portal_slug and o.id < w.id);
alter table workspaces alter column portal_slug set not null;
alter table workspaces alter column portal_slug
  set default 'shop-' || left(replace(gen_random_uuid()::text, '-', ''), 16);
alter table workspaces add constraint workspaces_portal_slug unique (portal_slug);

-- What links an order to something in the merchant's own system.
alter table orders add column reference text;
create index orders_reference on orders (workspace_id, test_mode, reference, created_at desc, id desc)
  where reference is not null;

-- A mail that will not be sent any more, and one whose texts are gone.
alter table mails drop constraint mails_status_check;
alter table mails add constraint mails_status_check
  check (status in ('queued', 'sent', 'kept', 'failed', 'dropped'));
alter table mails add column expired_at bigint;

-- An event whose body is no longer kept.
alter table events alter column body drop not null;
alter table events add column expired_at bigint;
alter table events add constraint events_body check ((body is null) = (expired_at is not null));

-- Codes are compared without case and width. Of several that become one the plainly written one keeps it, else the
-- oldest; the others stay as they were.
update discounts d set code_normal = f.folded
from (
  select workspace_id, test_mode, id, archived_at, lower(normalize(discount_code, NFKC)) as folded,
    row_number() over (partition by workspace_id, test_mode, lower(normalize(discount_code, NFKC)), archived_at is null
      order by code_normal <> lower(normalize(discount_code, NFKC)), created_at, id) as place
  from discounts where discount_code is not null
) f
where f.workspace_id = d.workspace_id and f.test_mode = d.test_mode and f.id = d.id and d.code_normal <> f.folded
  and (f.place = 1 or f.archived_at is not null);
