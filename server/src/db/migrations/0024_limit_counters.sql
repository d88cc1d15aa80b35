-- What strangers did lately that is limited: one row per limit and subject, with the real times at which it was
-- counted. The subject is a hash of the store and of the session, address or mailbox that it is about, so that the
-- table tells nobody who they were. It belongs to no store: emptying one gives nobody his tries back.

create table limit_counters (
  kind text not null,
  subject text not null,
  counted_at bigint[] not null,
  ends_at bigint not null,
  primary key (kind, subject)
);
create index limit_counters_by_end on limit_counters (ends_at);
