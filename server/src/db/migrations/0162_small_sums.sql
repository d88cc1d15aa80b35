-- Expand. A period's payment that is too small to be charged is of 0: its lines wait for the next one, as prorations do.
alter table payment_lines drop constraint payment_lines_check;
alter table payment_lines add constraint payment_lines_check
  check (kind <> 'extra' or payment_id is not null) not valid;
