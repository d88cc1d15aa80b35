-- Upkeep that one process does for longer, and not in turns: which one.
alter table upkeep add column holder uuid;
