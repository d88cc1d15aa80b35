-- What the store as a whole needs now and then, done by one process at a time: who is at it, and when a worker last
-- was. All in real time.
create table upkeep (
  name text primary key,
  lease_until_ms bigint not null default 0,
  worker_at_ms bigint not null default 0
);

-- Who holds a test clock: a number that grows with each hold. Whoever was overtaken moves it no more.
alter table stores add column clock_fence bigint not null default 0;

-- When a session was written, in real time: what its times on a moved clock do not tell. Older ones count from their
-- own times.
alter table checkout_sessions add column written_real_ms bigint;
alter table checkout_sessions alter column written_real_ms set default real_now_ms();
create index checkout_sessions_without_order on checkout_sessions (coalesce(written_real_ms, created_at))
  where order_id is null;
