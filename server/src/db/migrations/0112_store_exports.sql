-- Expand. Beside lists there are exports of a whole store and of one user, as archives.

alter table exports
  drop constraint exports_kind_check,
  drop constraint exports_format_check,
  add constraint exports_kind_check check (kind in ('list', 'store', 'user')),
  add constraint exports_format_check check (format in ('csv', 'ndjson', 'tar.gz')),
  add constraint exports_archives check ((kind = 'list') = (format <> 'tar.gz'));
