-- Expand, outside of a transaction. The oldest sessions with an order, and orders by the view of a session that has gone.
create index concurrently if not exists checkout_sessions_with_order
  on checkout_sessions (workspace_id, coalesce(written_real_ms, created_at)) where order_id is not null;
create index concurrently if not exists orders_by_view on orders (workspace_id, test_mode, viewed_at)
  where viewed_at is not null;
