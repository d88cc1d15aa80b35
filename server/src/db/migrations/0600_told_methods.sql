-- Expand, outside of a transaction. What was told of a kept method before it was kept is looked for once it is: of what processors tell
-- few are about methods.
create index concurrently if not exists processor_events_of_methods on processor_events (workspace_id, connection_id, object_id)
  where object_kind = 'method';
