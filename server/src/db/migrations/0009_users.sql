-- What users bought, newest first, and which of their payment methods they chose last.

create index orders_of_user on orders (workspace_id, test_mode, user_id, created_at desc, id desc);

-- The method chosen last is the one that a charge takes when none is named.
alter table payment_methods add column chosen_at bigint;
update payment_methods set chosen_at = created_at;
alter table payment_methods alter column chosen_at set not null;
