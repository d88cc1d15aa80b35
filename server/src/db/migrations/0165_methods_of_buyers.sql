-- Expand. A buyer adds a method in their portal: it is theirs, and pays the subscriptions that they name with it.
alter table method_setups drop constraint method_setups_purpose_check;
alter table method_setups add constraint method_setups_purpose_check check (purpose in ('card', 'portal'));
alter table method_setups alter column subscription_id drop not null;
alter table method_setups add constraint method_setups_of_check check ((purpose = 'card') = (subscription_id is not null));
-- What of theirs it is to pay from then on.
alter table method_setups add column subscription_ids uuid[] not null default '{}';
alter table method_setups add foreign key (workspace_id, test_mode, user_id) references users on delete cascade;
-- One at a time.
create unique index method_setups_open_of_user on method_setups (workspace_id, test_mode, user_id)
  where status = 'pending' and purpose = 'portal';
create index method_setups_of_user on method_setups (workspace_id, test_mode, user_id, created_at desc);
