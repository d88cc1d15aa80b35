-- Mails to buyers and owners: queued in the transaction of what they tell of, written and sent by a job.

create table mails (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  kind text not null,
  -- What the mail is about, such as an event: one mail per key and recipient.
  key text not null,
  recipient text not null,
  language text not null,
  -- What the text needs beyond the event's own snapshot.
  params jsonb not null default '{}',
  event_id uuid,
  order_id uuid,
  payment_id uuid,
  subscription_id uuid,
  status text not null default 'queued' check (status in ('queued', 'sent', 'kept', 'failed')),
  -- The letter itself, null until the job has written it; every try sends the same.
  sender text,
  reply_to text,
  subject text,
  html text,
  plain text,
  attempts integer not null default 0,
  last_error text,
  created_at bigint not null,
  sent_at bigint,
  primary key (workspace_id, test_mode, id),
  unique (workspace_id, test_mode, key, recipient),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
create index mails_newest on mails (workspace_id, test_mode, created_at desc, id desc);
create index mails_of_recipient on mails (workspace_id, test_mode, lower(recipient), created_at desc, id desc);

-- The language of the page on which the buyer paid: their mails are written in it. Null = bought by the API.
alter table checkout_sessions add column language text;
