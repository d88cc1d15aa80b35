-- Expand. Each process counts its seconds in the store: what it remembers of them shows whether a store that comes back
-- has lost what it had acknowledged. Those that have ended stay for a while, since their next start remembers, too.
alter table processes add column beat bigint not null default 0, add column ended_at bigint;

-- Of the server's history when the installation last ran.
alter table installation_state add column timeline integer;
