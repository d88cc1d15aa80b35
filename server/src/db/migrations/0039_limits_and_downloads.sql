-- A mail that somebody caused who neither paid nor signed in, and that was one too many: it is written, kept and not sent.
alter table mails add column held_back boolean not null default false;

-- Who opened an order without the secret key, as the counters of limits name an address: few may wait for their payment
-- at once. Null for an order of the merchant's.
alter table orders add column opened_by text;
create index orders_waiting_by_opener on orders (workspace_id, test_mode, opened_by)
  where opened_by is not null and status = 'PENDING';
create index orders_waiting_by_user on orders (workspace_id, test_mode, user_id)
  where opened_by is not null and status = 'PENDING';

-- How often and how long a buyer may download: said by the offer, copied at purchase like all else that was sold.
alter table offers
  add column download_limit integer check (download_limit between 1 and 10000),
  add column download_days integer check (download_days between 1 and 36500);
alter table order_items
  add column download_limit integer,
  add column download_days integer,
  add column downloads integer not null default 0,
  -- The link that was counted last: whoever goes on with it after a break is not counted again.
  add column downloaded_by text;
