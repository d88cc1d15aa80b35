/**
 * Where in its history the server is, as a value of any query: the first digits of the name of the file that is being
 * written. What the control file says lags behind a promotion until the first checkpoint. Null = it is a standby.
 */
export const TIMELINE = `case when not pg_is_in_recovery()
  then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end`;
