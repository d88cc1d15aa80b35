-- Expand. Of which version a webhook was when an attempt's delivery was read: what was sent although it was archived is told
-- by that. Transactions, which it was told by, are not comparable where a store lies on several nodes. Null: from before.
alter table webhook_attempts add column webhook_version integer;
