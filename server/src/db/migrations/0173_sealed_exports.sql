-- Expand. An export of a store may hold its secrets, where it is sealed for whoever alone is to read it.

alter table exports
  add column with_secrets boolean not null default false,
  add column recipients text[] not null default '{}',
  add constraint exports_secrets_sealed check (not with_secrets or kind = 'store' and cardinality(recipients) > 0);
