-- Expand. At a processor the hosts are named whose pages show wallets: which, and when they were last. Null = they are due.
alter table processors add column domains jsonb not null default '[]';
alter table processors add column domains_at bigint;
