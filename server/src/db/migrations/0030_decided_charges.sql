-- A held charge is accepted or sent back by a person, and the ledger tells how.

alter table charges
  -- Why it was decided so, in the words of who did.
  add column hold_note text;

alter table ledger_entries
  drop constraint ledger_entries_account_check,
  drop constraint ledger_entries_kind_check;
alter table ledger_entries
  add constraint ledger_entries_account_check check (account in (
    'processor_clearing', 'sales', 'tax_payable', 'fees', 'refunds', 'manual', 'disputes', 'conversion',
    'processor_other')) not valid,
  add constraint ledger_entries_kind_check check (kind in (
    'charge', 'refund', 'reversal_in', 'reversal_out', 'dispute_opened', 'dispute_won', 'dispute_lost',
    'conversion_out', 'conversion_in')) not valid;
alter table ledger_entries validate constraint ledger_entries_account_check;
alter table ledger_entries validate constraint ledger_entries_kind_check;
