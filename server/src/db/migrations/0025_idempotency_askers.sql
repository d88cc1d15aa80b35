-- A key belongs to who asks with it: what one was answered is never another's answer. So far the key pairs of a store
-- are the only ones. Answers that held a secret are not kept: `made` names what they made instead.

alter table idempotency_keys add column asker text not null default 'keys';
alter table idempotency_keys alter column asker drop default;
alter table idempotency_keys add column made jsonb;
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys add primary key (workspace_id, test_mode, asker, key);
