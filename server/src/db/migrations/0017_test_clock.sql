-- An advance of the test clock does a store's due work itself, in order and at the moment of each. It holds
-- this lease (real time) meanwhile; one whose process died lets go when the lease is over.

alter table stores add column clock_lease_until_ms bigint;

-- The order in which an advance, or a merchant who looks, finds the work of one store.
create index due_work_of_store on due_work (workspace_id, test_mode, due_ms);
