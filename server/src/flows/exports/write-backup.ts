/**
 * A backup: all workspaces with their secrets, and what of the installation is not of today alone, as one archive. It
 * reads one snapshot, beside a service that sells.
 */
import path from 'node:path';
import type { Service } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, type ArchiveAbout } from '../../domain/exports/archive.ts';
import { BACKED_UP } from '../../domain/exports/left-out.ts';
import type { Sealer } from '../../providers/files/age.ts';
import {
  describeWorkspaces,
  findMigration,
  listAllScopes,
  listKeptBytes,
  listStoreTables,
  readWholeTable,
  takeSnapshot,
} from '../../resources/exports/whole-store.queries.ts';
import { getInstallationState } from '../../resources/installation/held.queries.ts';
import { addHeader, addKeptBytes, LOT_ROWS } from './gather-store.ts';
import { type Parts, writeArchive } from './write-archive.ts';

export type BackupService = Pick<Service, 'db' | 'config' | 'files'>;

export interface WrittenBackup {
  workspaces: number;
  rows: number;
  bytes: number;
}

export async function writeBackup(
  service: BackupService,
  { target, seal, nowMs }: { target: string; seal: Sealer | null; nowMs: number },
): Promise<WrittenBackup> {
  const migration = await findMigration(service.db);
  const about: ArchiveAbout = {
    ...{ format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, kind: 'backup' as const },
    ...{ migration, withSecrets: true, createdAt: nowMs },
  };
  const written = { workspaces: 0, rows: 0 };
  // What is not sealed yet stays where it lies unsealed anyway.
  const folder = path.join(service.config.dataDir, `backup-${process.pid}.parts`);
  const bytes = await writeArchive(target, { about, mtimeMs: nowMs, folder, seal }, async (parts) => {
    Object.assign(written, await gatherRows(service.db, { parts, about }));
    // Those that lie elsewhere are backed up where they lie.
    const scopes = service.config.files === null ? await listAllScopes(service.db) : [];
    for (const scope of scopes) {
      const kept = await listKeptBytes(service.db, scope);
      const under = `${scope.workspaceId}/${scope.testMode ? 'test' : 'live'}/`;
      await addKeptBytes(service, scope, { parts, kept, under });
    }
  });
  return { ...written, bytes };
}

async function gatherRows(
  db: Db,
  { parts, about }: { parts: Parts; about: ArchiveAbout },
): Promise<Omit<WrittenBackup, 'bytes'>> {
  return inTransaction(db, async (tx) => {
    // A transaction may run again.
    parts.clear();
    await takeSnapshot(tx);
    const workspaces = await describeWorkspaces(tx, null);
    const { epoch, isCopy } = await getInstallationState(tx);
    await addHeader(parts, { ...about, mode: null, workspaces, installation: { epoch, isCopy } });
    let rows = 0;
    for (const name of [...BACKED_UP, ...(await listStoreTables(tx)).map((table) => table.name)]) {
      const reading = { lotRows: LOT_ROWS, withSecrets: true };
      rows += await parts.addLines(`rows/${name}.jsonl`, readWholeTable(tx, { ...reading, name }));
    }
    return { workspaces: workspaces.length, rows };
  });
}
