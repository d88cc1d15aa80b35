-- Expand, outside of a transaction. `payments_by_paid_at` begins with the same columns and holds the same rows.
drop index concurrently if exists payments_by_payment_time;
