-- Expand, outside of a transaction. What waits to be activated is counted without a look at what does not.
create index concurrently if not exists subscriptions_waiting on subscriptions (workspace_id, test_mode) where waiting;
