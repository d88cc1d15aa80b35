-- Expand. What is kept of a checkout that sold something once its session has gone: on the order its language and when it was
-- looked at, and with the day what it came to.
alter table orders
  add column language text,
  add column viewed_at bigint;
alter table checkout_days
  add column submitted bigint not null default 0,
  add column declined bigint not null default 0,
  add column paid bigint not null default 0,
  add column value minor_units not null default 0;
