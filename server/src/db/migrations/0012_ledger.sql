-- The ledger: what the sale's own tables say of money, said a second time as double entry.

-- One row a line; the lines of one entry share entry_id and sum to 0. Debit is positive, credit negative.
create table ledger_entries (
  workspace_id uuid not null,
  test_mode boolean not null,
  entry_id uuid not null,
  account text not null check (account in (
    'processor_clearing', 'sales', 'tax_payable', 'fees', 'refunds', 'manual', 'disputes')),
  currency text not null,
  amount minor_units not null check (amount <> 0),
  kind text not null check (kind in (
    'charge', 'refund', 'reversal_in', 'reversal_out', 'dispute_opened', 'dispute_won', 'dispute_lost')),
  -- The charge, refund or dispute that is posted; with its kind it is posted once.
  source_id uuid not null,
  payment_id uuid not null,
  created_at bigint not null,
  primary key (workspace_id, test_mode, entry_id, account),
  unique (workspace_id, test_mode, source_id, kind, account),
  foreign key (workspace_id, test_mode, payment_id) references payments
);

-- An entry is written by one statement, so that it can be weighed at once.
create function ledger_weigh() returns trigger language plpgsql as $$
begin
  if exists (select from added group by workspace_id, test_mode, entry_id, currency having sum(amount) <> 0) then
    raise exception 'a ledger entry does not sum to 0' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_entries_weighed after insert on ledger_entries
  referencing new table as added for each statement execute function ledger_weigh();

-- What is posted stays: a mistake is set right by a further entry. A purge alone takes a workspace's rows
-- away, and says whose: set local counterfoil.purge = '<workspace id>'.
create function ledger_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('counterfoil.purge', true) = old.workspace_id::text then return old; end if;
  end if;
  raise exception 'the ledger is only ever added to' using errcode = 'restrict_violation';
end $$;
create trigger ledger_entries_kept before update or delete on ledger_entries
  for each row execute function ledger_keep();
create trigger ledger_entries_not_emptied before truncate on ledger_entries
  for each statement execute function ledger_keep();
