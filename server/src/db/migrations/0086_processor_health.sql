-- Expand. When a connection that is broken or degraded was asked last whether it is well again: by real time.
alter table processors add column checked_at bigint;
create index processors_unwell on processors (checked_at) where health in ('broken', 'degraded');
