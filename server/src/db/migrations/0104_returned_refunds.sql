-- Expand. A refund that had succeeded and came back: the buyer is still owed it, until somebody has paid it outside. And
-- one that was made at the processor, by nobody's request here.
alter table refunds
  add column returned_at bigint,
  add column return_reason text,
  add column return_settled_at bigint,
  add column return_reference text,
  add column made_elsewhere boolean not null default false;
