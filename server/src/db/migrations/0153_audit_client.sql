-- Expand. Which program a write came from, as it calls itself, where an assistant asked by a tool.
alter table audit_log add column client text;
