-- Expand. What the lists of a dashboard are filtered by, versions of what is edited, and when a row was written in
-- real time. New columns are empty or have a constant default, so that no table is written anew.

-- Raised by edits alone: an edit that was made of an older one is told so.
alter table products add column version integer not null default 1;
alter table variants add column version integer not null default 1;
alter table offers add column version integer not null default 1;
alter table discounts add column version integer not null default 1;
alter table custom_fields add column version integer not null default 1;
alter table checkout_elements
  add column version integer not null default 1,
  -- Orders of it that were ever paid.
  add column paid_orders bigint not null default 0;
alter table users add column version integer not null default 1;
alter table webhooks add column version integer not null default 1;
alter table stores
  add column settings_version integer not null default 1,
  -- Real time; null = never.
  add column emptied_real_ms bigint;
-- Whether it went into the archive with its product, and comes back with it.
alter table offers add column archived_with_product boolean not null default false;

update checkout_elements e set paid_orders = (
  select count(*) from orders o where o.workspace_id = e.workspace_id and o.test_mode = e.test_mode
    and o.checkout_id = e.id and o.paid_at is not null);

-- Null in rows from before: what has changed since is asked of new ones.
alter table audit_log add column written_real_ms bigint;
alter table audit_log alter column written_real_ms set default real_now_ms();
alter table events add column written_real_ms bigint;
alter table events alter column written_real_ms set default real_now_ms();
create index audit_log_written on audit_log (workspace_id, test_mode, written_real_ms, id);
create index audit_log_of_object on audit_log (workspace_id, test_mode, object_id, created_at desc, id desc);
create index events_written on events (workspace_id, test_mode, written_real_ms, id)
  where written_real_ms is not null;
create index events_of_payment on events (workspace_id, test_mode, payment_id, created_at desc, id desc)
  where payment_id is not null;

create index order_items_of_offer on order_items (workspace_id, test_mode, offer_id, order_id);
create index order_items_of_product on order_items (workspace_id, test_mode, product_id, order_id);
create index order_items_by_fulfilment on order_items (workspace_id, test_mode, fulfilment, order_id);
create index orders_of_discount on orders (workspace_id, test_mode, discount_id, created_at desc, id desc)
  where discount_id is not null;
create index orders_by_payment_time on orders (workspace_id, test_mode, paid_at) where paid_at is not null;
create index payments_of_discount
  on payments (workspace_id, test_mode, (discount ->> 'id'), created_at desc, id desc) where discount is not null;
create index payments_by_payment_time on payments (workspace_id, test_mode, paid_at) where paid_at is not null;
create index disputes_open on disputes (workspace_id, test_mode, order_id) where status = 'open';
create index disputes_newest on disputes (workspace_id, test_mode, opened_at desc, charge_id desc);
create index charges_held on charges (workspace_id, test_mode, payment_id)
  where hold is not null and status = 'pending';
create index refunds_newest on refunds (workspace_id, test_mode, created_at desc, id desc);
create index invoices_newest on invoices (workspace_id, test_mode, finalised_at desc, id desc);
create index invoices_of_order on invoices (workspace_id, test_mode, order_id);
create index ledger_entries_newest on ledger_entries (workspace_id, test_mode, created_at desc, entry_id desc);
create index ledger_entries_of_account
  on ledger_entries (workspace_id, test_mode, account, created_at desc, entry_id desc);
create index ledger_entries_of_payment on ledger_entries (workspace_id, test_mode, payment_id);
create index files_newest on files (workspace_id, test_mode, created_at desc, id desc);
create index mails_of_order on mails (workspace_id, test_mode, order_id, created_at desc, id desc)
  where order_id is not null;
create index webhook_deliveries_of_webhook
  on webhook_deliveries (workspace_id, test_mode, webhook_id, created_at desc, id desc);

create index subscriptions_by_status on subscriptions (workspace_id, test_mode, status, created_at desc, id desc);
create index subscriptions_by_end on subscriptions (workspace_id, test_mode, current_interval_end, id);
create index subscriptions_by_value on subscriptions (workspace_id, test_mode, value, id);
create index subscription_items_of_offer on subscription_items (workspace_id, test_mode, offer_id, subscription_id);
create index subscription_items_of_product
  on subscription_items (workspace_id, test_mode, product_id, subscription_id);

create index users_by_country
  on users (workspace_id, test_mode, (billing_details ->> 'countryCode'), created_at desc, id desc);
-- By the beginning of an e-mail.
create index users_by_email on users (workspace_id, test_mode, email_normal text_pattern_ops);
-- A sold key's order is found by the key, or by what is shown of it.
create index offer_keys_by_text on offer_keys (workspace_id, test_mode, md5(key_text)) where order_id is not null;
create index offer_keys_by_end on offer_keys (workspace_id, test_mode, right(key_text, 4))
  where order_id is not null and length(key_text) > 8;
