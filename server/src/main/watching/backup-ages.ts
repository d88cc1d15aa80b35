/** How old the backups of the embedded store are, as far as its files tell. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { listBases } from '../../db/embedded/backups/manifest.ts';
import type { EmbeddedStore } from '../../db/embedded/store.ts';

export interface BackupAges {
  /** Of the last base backup; null = there is none yet. */
  baseMs: number | null;
  /** For how long the oldest segment of the log has waited to be archived; 0 = none waits. */
  logMs: number;
}

const WAITS = /\.ready$/;

export async function readBackupAges(
  { backups, place }: NonNullable<EmbeddedStore['backups']>,
  nowMs: number,
): Promise<BackupAges> {
  const last = (await listBases(backups.bases)).at(-1);
  const baseMs = last === undefined ? null : Math.max(0, nowMs - Date.parse(last.manifest.endedAt));
  return { baseMs, logMs: Math.max(0, ...(await listWaits(place.cluster, nowMs))) };
}

/** The server notes what is to be archived in a file for each. */
async function listWaits(cluster: string, nowMs: number): Promise<number[]> {
  const folder = path.join(cluster, 'pg_wal/archive_status');
  const names = (await readdir(folder)).filter((name) => WAITS.test(name));
  return Promise.all(
    names.map(async (name) => {
      const noted = await stat(path.join(folder, name)).catch(() => null);
      return noted === null ? 0 : nowMs - noted.mtimeMs;
    }),
  );
}
