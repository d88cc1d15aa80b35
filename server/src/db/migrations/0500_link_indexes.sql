-- Expand, outside of a transaction. What opens a link is found within its workspace, as its token names it; tokens of before
-- name none, and have an index of their own. A charge is found by its id alone nowhere any more.
create unique index concurrently if not exists invoices_of_link on invoices (workspace_id, token);
create index concurrently if not exists invoices_old_link on invoices (token) where position('.' in token) = 0;
drop index concurrently if exists invoices_by_link;
create unique index concurrently if not exists payments_of_link on payments (workspace_id, pay_token);
create index concurrently if not exists payments_old_link on payments (pay_token) where position('.' in pay_token) = 0;
drop index concurrently if exists payments_pay_token;
create unique index concurrently if not exists sandbox_charges_of_link on sandbox_charges (workspace_id, action_token)
  where action_token is not null;
drop index concurrently if exists sandbox_charges_by_link;
drop index concurrently if exists charges_by_link;
