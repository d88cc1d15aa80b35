-- Secrets of the installation itself, such as the one that signs links. Shared by all workspaces on purpose:
-- a link names a thing, not a workspace, and every process must know the same secret.

create table installation_secrets (
  name text primary key,
  secret text not null
);
