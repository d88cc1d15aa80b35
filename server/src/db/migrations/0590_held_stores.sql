-- Expand, outside of a transaction. Whether any store is held is asked once a second by each process: of few stores it is so.
create index concurrently if not exists stores_held on stores (workspace_id) where held_since is not null;
