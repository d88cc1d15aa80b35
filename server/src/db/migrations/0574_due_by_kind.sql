-- Expand, outside of a transaction. What is due is claimed kind by kind: along the times of all kinds, a million subscriptions that
-- are due were passed over at each look for a delivery.
create index concurrently if not exists due_work_by_kind on due_work (kind, due_real_ms) where lane is null;
drop index concurrently if exists due_work_next;
