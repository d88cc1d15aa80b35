-- Whoever opened a link that was mailed to a subscription's user has proved to be that user, in the browser in which
-- they opened it and for a while: the stored card is charged by a link for nobody else. A row is written when a link is
-- opened, so that it opens once; what is only mailed is signed and stored nowhere. Times are real.

create table payer_proofs (
  workspace_id uuid not null,
  test_mode boolean not null,
  subscription_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the link, of the mailbox that it was sent to, and of what the browser keeps.
  link_hash text not null,
  mailbox_hash text not null,
  browser_hash text not null,
  -- The proof is good until then.
  ends_at bigint not null,
  -- The link must stay known as used for as long as it could be opened.
  kept_until bigint not null,
  primary key (workspace_id, test_mode, subscription_id, link_hash),
  foreign key (workspace_id, test_mode, subscription_id) references subscriptions on delete cascade,
  foreign key (workspace_id, test_mode, user_id) references users on delete cascade
);
create index payer_proofs_of_user on payer_proofs (workspace_id, test_mode, user_id);
create index payer_proofs_by_end on payer_proofs (kept_until);
