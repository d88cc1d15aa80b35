/** An archive as this release would write it: restored into a store that is thrown away, brought forward, written again. */
import { exportedLists } from '../../api/routes.ts';
import type { Config } from '../../config.ts';
import { ARCHIVE_FORMAT, ARCHIVE_VERSION } from '../../domain/exports/archive.ts';
import { gatherStore } from '../../flows/exports/gather-store.ts';
import { writeArchive } from '../../flows/exports/write-archive.ts';
import { writeBackup } from '../../flows/exports/write-backup.ts';
import {
  type RestoreOptions,
  type RestoreService,
  restoreArchive,
} from '../../flows/restores/restore-archive.ts';
import type { Sealer } from '../../providers/files/age.ts';
import { findMigration } from '../../resources/exports/whole-store.queries.ts';
import { wire } from '../wire.ts';
import { findBroken } from './find-broken.ts';

export interface Rewriting extends Pick<RestoreOptions, 'askKeys' | 'tell' | 'folder'> {
  target: string;
  seal: Sealer | null;
  /** Of the store that is thrown away, with its folder. */
  config: Config;
  connection: RestoreService['connection'] & Parameters<typeof wire>[0]['store'];
}

export async function rewriteArchive(file: string, rewriting: Rewriting): Promise<void> {
  const { target, seal, config, connection, askKeys, tell, folder } = rewriting;
  const wired = await wire({ config, store: connection });
  const { service } = wired;
  try {
    const nowMs = Date.now();
    const { header, workspaces } = await restoreArchive({ ...service, connection }, file, {
      ...{ askKeys, tell, nowMs, ownerEmail: null, isThrownAway: true },
      ...(folder === undefined ? {} : { folder }),
      findBroken: (tx) => findBroken(tx, null),
    });
    // It is of the moment of the first, whoever writes it when.
    const { kind, withSecrets, createdAt, mode } = header;
    if (kind === 'backup') {
      await writeBackup(service, { target, seal, nowMs: createdAt });
      return;
    }
    const migration = await findMigration(service.db);
    const about = {
      ...{ format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, kind: 'store' as const },
      ...{ migration, withSecrets, createdAt },
    };
    // A test clock may have been ahead: tar warns of files from the future.
    for (const { id: workspaceId } of workspaces)
      await writeArchive(target, { about, mtimeMs: Math.min(createdAt, nowMs), seal }, (parts) =>
        gatherStore(
          { ...service, nowMs },
          { workspaceId, testMode: mode === 'test' },
          { parts, about, lists: exportedLists },
        ),
      );
  } finally {
    await wired.close();
  }
}
