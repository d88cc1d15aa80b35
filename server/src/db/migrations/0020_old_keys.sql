-- Keys whose time is over are deleted oldest first, those of all stores together.

drop index idempotency_keys_age;
create index idempotency_keys_by_age on idempotency_keys (created_at);
