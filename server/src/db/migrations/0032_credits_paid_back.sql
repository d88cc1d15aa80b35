-- Refunds and the credits of a subscription: what one pays back or lowers is not given a second time by the other.

alter table refunds
  -- Pays credits back that no payment can use any more: it has their tax, and is no part of what others refund.
  add column pays_back boolean not null default false,
  -- The parts of waiting credits that it has paid back or lowered; if it fails, they wait again.
  add column credit_lines jsonb not null default '[]';
