-- Expand. The real time is that of the statement, the same for all its rows: a store that is spread over several nodes
-- takes no UPDATE whose function answers otherwise each time that it is asked.
create or replace function real_now_ms() returns bigint language sql stable parallel safe
  return floor(extract(epoch from statement_timestamp()) * 1000)::bigint;
