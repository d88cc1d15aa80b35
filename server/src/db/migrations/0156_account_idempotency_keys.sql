-- Idempotency keys of what belongs to no store yet: ways in, accounts, the installation, the doors of portals. The
-- operations open transactions of their own, so that a key is begun before them and ended after.
create table account_idempotency_keys (
  -- The account, else the address; at a portal's door with the shop that it is the door of.
  asker text not null,
  key text not null,
  fingerprint text not null,
  -- Real times.
  lease_until bigint not null,
  ended_at bigint,
  -- Null where it is not kept, as of an answer that signs in.
  response text,
  created_at bigint not null,
  primary key (asker, key)
);

create index account_idempotency_keys_by_age on account_idempotency_keys (created_at);
