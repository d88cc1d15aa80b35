-- Expand. Who asked to be erased and is not yet: few among many, and asked for with every look at what needs somebody.
create index users_to_erase on users (workspace_id, test_mode, created_at desc, id desc)
  where deletion_requested_at is not null and erased_at is null;
