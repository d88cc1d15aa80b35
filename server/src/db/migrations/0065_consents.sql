-- What consumers agree to at the checkout, and until when they may withdraw.

-- Which right a line gives, and when its delivery began (a key shown or mailed, a file opened); null = by its product's
-- type, as of an order of before.
alter table order_items
  add column withdrawal text check (withdrawal in ('service', 'content', 'excluded')),
  add column delivery_began_at bigint;

alter table orders
  -- What the order gave when it was made; null = made before it was kept.
  add column withdrawal_right text check (withdrawal_right in ('granted', 'business', 'excluded', 'elsewhere')),
  -- Null = not yet paid, or no right, or lost.
  add column withdrawable_until bigint,
  -- When the consents of its last try were given; null = none were.
  add column consented_at bigint;

create table consents (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  order_id uuid not null,
  kind text not null,
  text text not null,
  text_version text not null,
  language text not null,
  given_at bigint not null,
  order_number text not null,
  email text not null,
  -- Of the canonical JSON of the columns from kind to email.
  sha256 text not null,
  -- When the mail that repeats the words went out.
  confirmed_at bigint,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, order_id) references orders (workspace_id, test_mode, id),
  constraint consents_of_try unique (workspace_id, test_mode, order_id, given_at, kind)
);

-- What somebody stated stays as it was written: of its columns those named in the trigger may be written later, a row goes
-- with its workspace or store alone (set local counterfoil.purge = '<workspace id>').
create function statement_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.workspace_id::text = current_setting('counterfoil.purge', true) then return old; end if;
  elsif tg_op = 'UPDATE' then
    if to_jsonb(new) - tg_argv = to_jsonb(old) - tg_argv then return new; end if;
  end if;
  raise exception 'a statement is never changed' using errcode = 'restrict_violation';
end $$;
create function statement_confirmed_once() returns trigger language plpgsql as $$
begin
  if old.confirmed_at is not null and new.confirmed_at is distinct from old.confirmed_at then
    raise exception 'a statement is confirmed once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger consents_kept before update or delete on consents
  for each row execute function statement_keep('confirmed_at');
create trigger consents_confirmed_once before update on consents
  for each row execute function statement_confirmed_once();
create trigger consents_not_emptied before truncate on consents
  for each statement execute function statement_keep();
