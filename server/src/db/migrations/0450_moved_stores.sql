-- Expand. A store that moves to another server says so in both places, so that never more than one of the two is open.
alter table installation_state
  -- Of the move; null = it has never been part of one.
  add column move_id uuid,
  -- Here: `copying` and `switching` while it is under way, `moved` for good. There: `arrived`. Null = none is.
  add column move_stage text check (move_stage in ('copying', 'switching', 'moved', 'arrived')),
  -- Where it goes, without a password.
  add column move_to text,
  add column move_at bigint;
