-- What merchants filter their orders and payments by, each in the order of the list: a page is read from the
-- index and nothing is sorted (`npm run bench:lists` shows the plans among a million orders).

create index orders_by_status on orders (workspace_id, test_mode, status, created_at desc, id desc);
create index orders_by_country on orders (workspace_id, test_mode, country, created_at desc, id desc);
create index orders_of_checkout on orders (workspace_id, test_mode, checkout_id, created_at desc, id desc)
  where checkout_id is not null;
create index orders_of_subscription on orders (workspace_id, test_mode, subscription_id)
  where subscription_id is not null;
create index orders_by_value on orders (workspace_id, test_mode, value, id);

create index payments_by_status on payments (workspace_id, test_mode, status, created_at desc, id desc);
create index payments_of_user on payments (workspace_id, test_mode, user_id, created_at desc, id desc);
create index payments_of_checkout on payments (workspace_id, test_mode, checkout_id, created_at desc, id desc)
  where checkout_id is not null;
create index payments_by_value on payments (workspace_id, test_mode, value, id);

-- The processor's number of a charge, as it stands on a statement.
create index charges_of_processor on charges (workspace_id, test_mode, processor_id) where processor_id is not null;
