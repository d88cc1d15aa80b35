-- Expand. An upload that nothing ever pointed to is let go of after its time; the first row that names its id, as what it
-- sells or within a picture's address, keeps it for good. What was uploaded before, when nobody noted it, has no time of writing and stays.
alter table files add column written_real_ms bigint;
alter table files alter column written_real_ms set default real_now_ms();
alter table files add column used_at bigint;
alter table files alter column used_at set default real_now_ms();

create function note_used_files() returns trigger language plpgsql as $$
begin
  update files set used_at = real_now_ms()
  where workspace_id = new.workspace_id and test_mode = new.test_mode and used_at is null
    and id in (
      select named[1]::uuid
      from regexp_matches(to_jsonb(new)::text, '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})', 'g') named
    );
  return null;
end $$;

create trigger products_note_files after insert or update of cover, cover_video, trailer, gallery, description, features
  on products for each row execute function note_used_files();
create trigger variants_note_files after insert or update of cover, cover_video, description, features
  on variants for each row execute function note_used_files();
create trigger offers_note_files after insert or update of cover, description, download_file_id, download_description
  on offers for each row execute function note_used_files();
create trigger stores_note_files after insert or update of settings
  on stores for each row execute function note_used_files();
