-- Expand. From a restore on an event says how often the store was restored before it: `epoch` in its envelope.
create function in_epoch(body text) returns text language plpgsql stable parallel safe as $$
declare
  restored integer := (select epoch from installation_state);
begin
  if restored > 0 then return '{"epoch":' || restored || ',' || substr(body, 2); end if;
  return body;
end $$;
