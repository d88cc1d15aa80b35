-- Expand. Files may lie elsewhere than in DATA_DIR: names hold the hash of an upload, and the store says where its files
-- lie, so that no process writes them to another place.

-- Null = one of before, which lies in DATA_DIR under its id alone.
alter table files add column sha256 text check (sha256 ~ '^[0-9a-f]{64}$');

alter table installation_state
  -- As FILES_URL names it; null = in DATA_DIR.
  add column files_url text,
  -- Of a move that is under way, which is done with when the last file is where it belongs; null = none is.
  add column files_moving_to text,
  add column files_moving_from text;

-- Null = it keeps files in its own DATA_DIR.
alter table processes add column files_url text;
