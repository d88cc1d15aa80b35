-- Expand. When a processor that forgets our keys was first asked for a refund: past that it is looked for, and not asked again.
alter table refunds add column asked_at bigint;
