-- Contract 0.1.0. Where rows lie on several nodes no key can set a column to null: whoever deletes what a delivery names
-- clears it there first.
alter table webhook_deliveries
  drop constraint webhook_deliveries_workspace_id_test_mode_event_id_fkey,
  add constraint webhook_deliveries_event foreign key (workspace_id, test_mode, event_id)
    references events (workspace_id, test_mode, id) not valid;
alter table webhook_deliveries
  drop constraint webhook_deliveries_workspace_id_test_mode_webhook_id_fkey,
  add constraint webhook_deliveries_webhook foreign key (workspace_id, test_mode, webhook_id)
    references webhooks (workspace_id, test_mode, id) not valid;
alter table webhook_deliveries
  drop constraint webhook_deliveries_workspace_id_test_mode_listener_id_fkey,
  add constraint webhook_deliveries_listener foreign key (workspace_id, test_mode, listener_id)
    references listeners (workspace_id, test_mode, id) not valid;
