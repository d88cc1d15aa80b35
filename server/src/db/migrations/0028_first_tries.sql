-- What is sent first about one thing goes out in order: a row of a queue waits, in its lane, for those before it.
-- Null: it waits for none.
alter table due_work add column queue uuid;
-- Its place among those of its queue that are due at one moment.
alter table due_work add column place uuid;
create index due_work_queue on due_work (lane, queue, due_ms, place) where queue is not null;

-- By which transaction a webhook was archived, and what an attempt could know of it: every transaction before its
-- horizon had ended when its delivery was read. Null: from before this was kept.
alter table webhooks add column archived_by bigint;
alter table webhook_attempts add column horizon bigint;
