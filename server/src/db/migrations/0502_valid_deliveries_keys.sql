-- Expand, outside of a transaction. All deliveries keep the keys, beside whoever sells.
alter table webhook_deliveries validate constraint webhook_deliveries_event;
alter table webhook_deliveries validate constraint webhook_deliveries_webhook;
alter table webhook_deliveries validate constraint webhook_deliveries_listener;
