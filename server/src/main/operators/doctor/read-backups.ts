/** What is known of backups: those of the embedded store by their files, others by what their command noted. */
import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import type { Db } from '../../../db/database.ts';
import { findLastBackup } from '../../../resources/installation/last-backup.queries.ts';
import { openSealing } from '../../sealed-secrets.ts';
import type { BackupAges } from '../../watching/backup-ages.ts';
import { isKeyKept } from '../kept-key.ts';

export interface BackupFacts {
  /** Another one is backed up by its operator's own means. */
  isEmbedded: boolean;
  /** Its BACKUP_DIR is set all the same. */
  isDirIdle: boolean;
  /** Of what lies in BACKUP_DIR; null = that is not set, or was not looked at. */
  ages: BackupAges | null;
  /** How long ago a file was written by `backup`; null = none was. */
  fileMs: number | null;
  /** Whether the keys that seal secrets are kept elsewhere, as their operator has said. */
  isKeyKept: boolean;
  /** Of the store's log. */
  segmentBytes: number;
}

export async function readBackups(
  db: Db,
  config: Config,
  { readAges, nowMs }: { readAges: () => Promise<BackupAges | null>; nowMs: number },
): Promise<BackupFacts> {
  const { rows } = await sql<{ bytes: number }>`
    select setting::bigint as bytes from pg_settings where name = 'wal_segment_size'`.execute(db);
  const last = await findLastBackup(db);
  return {
    isEmbedded: config.databaseUrl === null,
    isDirIdle: config.isBackupDirIdle,
    ages: await readAges(),
    fileMs: last === null ? null : Math.max(0, nowMs - last),
    isKeyKept: await isKeyKept(db, openSealing(config)),
    segmentBytes: rows[0]?.bytes ?? 0,
  };
}
