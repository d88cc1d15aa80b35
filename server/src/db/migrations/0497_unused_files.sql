-- Expand, outside of a transaction. Uploads that nothing points to are found without a look at the others.
create index concurrently if not exists files_unused on files (workspace_id, written_real_ms)
  where used_at is null and written_real_ms is not null;
