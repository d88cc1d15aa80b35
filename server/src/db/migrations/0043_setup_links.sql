-- The owner of a new store is set up by a link, which ends with the first thing that a session makes.
alter table accounts add column setup_open boolean not null default false;
