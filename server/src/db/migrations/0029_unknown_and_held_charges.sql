-- A charge is looked at until the processor knows, and other money than was asked for waits for a person.

alter table charges
  -- Looks that had no answer, since the last one that had.
  add column silent_looks integer not null default 0,
  -- Why a pending charge waits for a person.
  add column hold text check (hold in ('discrepancy')),
  -- What was taken, where that is not what was asked for.
  add column taken_amount minor_units check (taken_amount >= 0),
  add column taken_currency text;
