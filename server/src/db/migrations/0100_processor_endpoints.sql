-- Expand. When the endpoints of a connection were looked after last, and which of them are to be taken away: by real time.
alter table processors add column tended_at bigint;
create index processors_to_tend on processors (tended_at) where credentials is not null;
create index processor_endpoints_over on processor_endpoints (ends_at) where ends_at is not null;
