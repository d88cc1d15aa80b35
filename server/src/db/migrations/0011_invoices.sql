-- Invoices and credit notes: numbered without gaps, finalised once, never changed.

-- The moment of the newest document: a later number never bears an earlier moment, whoever was slow.
alter table invoice_series add column last_at bigint not null default 0;

create table invoices (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  kind text not null check (kind in ('invoice', 'credit_note')),
  number text not null,
  series text not null,
  position bigint not null check (position >= 1),
  order_id uuid not null,
  payment_id uuid not null,
  refund_id uuid,
  -- The invoice that a credit note belongs to.
  refers_to uuid,
  currency text not null,
  -- Both 0 or more; a credit note's are what it gives back.
  total minor_units not null check (total >= 0),
  tax minor_units not null check (tax >= 0),
  -- All that the document says, as the bytes that were hashed: JSON, read but never written again.
  snapshot text not null,
  snapshot_sha256 text not null,
  -- The secret of the document's link: it alone opens the PDF.
  token text not null,
  finalised_at bigint not null,
  -- The PDF, once it has been made: its bytes lie on disk under this hash.
  pdf_sha256 text,
  pdf_size bigint,
  primary key (workspace_id, test_mode, id),
  unique (workspace_id, test_mode, series, position),
  unique (workspace_id, test_mode, number),
  foreign key (workspace_id, test_mode, order_id) references orders,
  foreign key (workspace_id, test_mode, payment_id) references payments,
  foreign key (workspace_id, test_mode, refund_id) references refunds,
  foreign key (workspace_id, test_mode, refers_to) references invoices,
  check ((kind = 'invoice') = (refund_id is null)),
  check ((kind = 'invoice') = (refers_to is null)),
  check ((pdf_sha256 is null) = (pdf_size is null))
);
create unique index invoices_of_payment on invoices (workspace_id, test_mode, payment_id) where kind = 'invoice';
create unique index invoices_of_refund on invoices (workspace_id, test_mode, refund_id) where refund_id is not null;
create index invoices_credit_notes on invoices (workspace_id, test_mode, payment_id) where kind = 'credit_note';
-- Whoever opens a link holds no key and knows no workspace.
create unique index invoices_by_link on invoices (token);

-- A finalised document stays as it is; only its PDF is added, once. A purge alone takes a workspace's rows
-- away, and says whose: set local counterfoil.purge = '<workspace id>'.
create function invoices_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('counterfoil.purge', true) = old.workspace_id::text then return old; end if;
  elsif tg_op = 'UPDATE' then
    if old.pdf_sha256 is null and to_jsonb(new) - 'pdf_sha256' - 'pdf_size' = to_jsonb(old) - 'pdf_sha256' - 'pdf_size'
      then return new;
    end if;
  end if;
  raise exception 'a finalised invoice is never changed' using errcode = 'restrict_violation';
end $$;
create trigger invoices_kept before update or delete on invoices
  for each row execute function invoices_keep();
create trigger invoices_not_emptied before truncate on invoices
  for each statement execute function invoices_keep();
