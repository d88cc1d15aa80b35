-- Expand. What is claimed or swept all the time is cleared away early: a fifth of a large table, as the server has it by
-- default, is days of it.
alter table due_work set (autovacuum_vacuum_scale_factor = 0.02);
alter table events set (autovacuum_vacuum_scale_factor = 0.05);
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.05);
alter table webhook_attempts set (autovacuum_vacuum_scale_factor = 0.05);
alter table mails set (autovacuum_vacuum_scale_factor = 0.05);
alter table audit_log set (autovacuum_vacuum_scale_factor = 0.05);
alter table account_audit set (autovacuum_vacuum_scale_factor = 0.05);
alter table workspace_audit set (autovacuum_vacuum_scale_factor = 0.05);
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.05);
alter table checkout_sessions set (autovacuum_vacuum_scale_factor = 0.05);
alter table request_log set (autovacuum_vacuum_scale_factor = 0.05);
