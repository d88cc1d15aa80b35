-- Checkouts that a merchant prepares for a buyer, and what a link says of the purchase.

alter table checkout_sessions
  add column by_merchant boolean not null default false,
  add column user_id uuid,
  add column reference text,
  add column redirect_url text,
  add column cancel_url text,
  add column origin text,
  add column locked_fields text[] not null default '{}',
  -- By offer: these stand, whatever an offer lets a buyer choose.
  add column set_quantities jsonb not null default '{}',
  add foreign key (workspace_id, test_mode, user_id) references users on delete cascade;

create index checkout_sessions_of_user on checkout_sessions (workspace_id, test_mode, user_id)
  where user_id is not null;

-- Signs what a buyer brings along when they are sent on. A workspace's stores have one each, old ones too.
alter table stores add column redirect_secret text not null
  default ('rds_' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
