-- Expand. A kept method changes outside: its card is renewed, it is detached, or its mandate is taken back.
alter table payment_methods
  -- From then on it is charged no more.
  add column ended_at bigint;
-- By the name that it has at its processor, which is the second part of what it is charged by.
create index payment_methods_told on payment_methods
  (workspace_id, test_mode, connection_id, split_part(reference, '/', 2)) where connection_id is not null;
