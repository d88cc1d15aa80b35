-- What is sold: products, their variants (plans), offers, keys, discounts, elements and custom fields.

create table products (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  type text not null,
  internal_id text,
  name text not null,
  slug text not null,
  description text,
  developer text,
  publisher text,
  pegi_rating text,
  release_date bigint,
  systems text[] not null default '{}',
  genres text[] not null default '{}',
  status text not null check (status in ('DRAFT', 'ACTIVE', 'HIDDEN')),
  cover text,
  cover_blur_hash text,
  cover_video text,
  trailer text,
  gallery jsonb not null default '[]',
  features jsonb not null default '[]',
  project_id uuid,
  archived_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (workspace_id, test_mode, id),
  unique (workspace_id, test_mode, slug),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
create index products_newest on products (workspace_id, test_mode, created_at desc, id desc);

create table variants (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  product_id uuid not null,
  internal_id text,
  name text not null,
  description text,
  features jsonb not null default '[]',
  cover text,
  cover_blur_hash text,
  cover_video text,
  position integer not null,
  archived_at bigint,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, product_id) references products on delete cascade
);
create index variants_of_product on variants (workspace_id, test_mode, product_id, position);

create table files (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  file_name text not null,
  size_bytes bigint not null,
  content_type text not null,
  blur_hash text,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
-- A picture's address and a signed link name a file alone.
create unique index files_by_link on files (id);

create table offers (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  internal_id text,
  product_id uuid not null,
  variant_id uuid,
  price minor_units not null check (price >= 0),
  original_price minor_units check (original_price >= 0),
  currency text not null,
  recurring_interval text check (recurring_interval in ('day', 'week', 'month', 'year')),
  recurring_interval_count integer check (recurring_interval_count >= 1),
  trial_interval text check (trial_interval in ('day', 'week', 'month', 'year')),
  trial_interval_count integer check (trial_interval_count >= 1),
  -- The API's `limit`: most sales; held_count is what open checkouts hold of it, sold_count the API's soldItems.
  sales_limit bigint,
  held_count bigint not null default 0 check (held_count >= 0),
  sold_count bigint not null default 0,
  free_product boolean not null default false,
  status text not null check (status in ('DRAFT', 'ACTIVE')),
  name text,
  description text,
  cover text,
  cover_blur_hash text,
  region text not null default 'Global',
  platform text not null default 'Global',
  gtin text,
  warning_message text,
  mutable_quantity boolean not null default false,
  tax_behavior text check (tax_behavior in ('inclusive', 'exclusive')),
  download_file_id uuid,
  download_description text,
  tags jsonb not null default '[]',
  -- An offer that has ever had keys sells only what is in stock.
  has_keys boolean not null default false,
  archived_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode, product_id) references products on delete cascade,
  foreign key (workspace_id, test_mode, variant_id) references variants,
  foreign key (workspace_id, test_mode, download_file_id) references files,
  check ((recurring_interval is null) = (recurring_interval_count is null)),
  check ((trial_interval is null) = (trial_interval_count is null)),
  check (free_product = (price = 0))
);
create index offers_newest on offers (workspace_id, test_mode, created_at desc, id desc);
create index offers_of_product on offers (workspace_id, test_mode, product_id);
-- A checkout link names an offer alone: the buyer's browser holds no key and knows no workspace.
create unique index offers_by_link on offers (id);

create table offer_keys (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  offer_id uuid not null,
  status text not null check (status in ('available', 'reserved', 'sold', 'revoked')),
  key_text text not null,
  file_name text,
  order_id uuid,
  order_item_id uuid,
  created_at bigint not null,
  sold_at bigint,
  primary key (workspace_id, test_mode, id),
  unique (workspace_id, test_mode, offer_id, key_text),
  foreign key (workspace_id, test_mode, offer_id) references offers on delete cascade,
  check ((status = 'available') = (order_id is null))
);
create index offer_keys_stock on offer_keys (workspace_id, test_mode, offer_id, status, id);
create index offer_keys_newest on offer_keys (workspace_id, test_mode, offer_id, created_at desc, id desc);
create index offer_keys_of_order on offer_keys (workspace_id, test_mode, order_id) where order_id is not null;

create table discounts (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  type text not null check (type in ('code', 'sale')),
  amount_type text not null check (amount_type in ('fixed', 'percentage')),
  -- Minor units of a fixed amount, hundredths of a percent of a percentage.
  amount minor_units not null check (amount > 0),
  currency text,
  name text,
  discount_code text,
  code_normal text,
  status text not null check (status in ('active', 'inactive')),
  valid_from bigint,
  valid_until bigint,
  timezone text not null default 'UTC',
  purchase_limit bigint,
  limit_per_user bigint,
  includes_all_offers boolean not null default false,
  included_offers uuid[] not null default '{}',
  excluded_offers uuid[] not null default '{}',
  duration text not null default 'once' check (duration in ('once', 'repeating', 'forever')),
  duration_intervals integer,
  held_count bigint not null default 0 check (held_count >= 0),
  used_count bigint not null default 0 check (used_count >= 0),
  archived_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade,
  check ((type = 'code') = (discount_code is not null))
);
create index discounts_newest on discounts (workspace_id, test_mode, created_at desc, id desc);
create unique index discounts_code on discounts (workspace_id, test_mode, code_normal) where archived_at is null;
create index discounts_sales on discounts (workspace_id, test_mode) where type = 'sale' and archived_at is null;

create table custom_fields (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  key text not null,
  label text not null,
  type text not null check (type in ('text', 'dropdown')),
  required boolean not null default true,
  options jsonb not null default '[]',
  pattern text,
  validation_url text,
  validation_secret text,
  project_id uuid,
  archived_at bigint,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
create unique index custom_fields_key on custom_fields (workspace_id, test_mode, key) where archived_at is null;

create table checkout_elements (
  workspace_id uuid not null,
  test_mode boolean not null,
  id uuid not null,
  name text,
  subscription_offer boolean not null,
  archived_at bigint,
  created_at bigint not null,
  primary key (workspace_id, test_mode, id),
  foreign key (workspace_id, test_mode) references stores on delete cascade
);
create index checkout_elements_newest on checkout_elements (workspace_id, test_mode, created_at desc, id desc);
create unique index checkout_elements_by_link on checkout_elements (id);

-- One row per place of the cart: an offer named twice is bought twice.
create table checkout_element_offers (
  workspace_id uuid not null,
  test_mode boolean not null,
  element_id uuid not null,
  position integer not null,
  offer_id uuid not null,
  primary key (workspace_id, test_mode, element_id, position),
  foreign key (workspace_id, test_mode, element_id) references checkout_elements on delete cascade,
  foreign key (workspace_id, test_mode, offer_id) references offers on delete cascade
);
