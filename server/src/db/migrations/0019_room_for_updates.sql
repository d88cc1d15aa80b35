-- Room on each page for the next version of a row that changes without its keys: it stays where it is, and none of
-- the table's indexes is written. A renewal changes order, subscription and due work in this way. For pages to come.

alter table orders set (fillfactor = 90);
alter table subscriptions set (fillfactor = 80);
alter table payments set (fillfactor = 90);
alter table due_work set (fillfactor = 70);
