-- Expand. Whether what came back was given back once more at the processor itself, from the account that it had come back to.
alter table refunds add column if not exists return_settled_there boolean not null default false;
