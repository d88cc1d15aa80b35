-- Contract 0.1.0. A line of the ledger is known by its source, kind and account; that its entry names it as well was an index more, the
-- largest of a sale, which a list's page alone was read by.
alter table ledger_entries drop constraint ledger_entries_pkey;
alter table ledger_entries
  replica identity using index ledger_entries_workspace_id_test_mode_source_id_kind_accoun_key;
