-- Expand. A processor may name a kept method by all that it is charged by.
create index payment_methods_told_whole on payment_methods
  (workspace_id, test_mode, connection_id, reference) where connection_id is not null;
