/** A workspace is gone for good: its rows in one transaction, then what of it lies on disk. */
import type { Service } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { removeBytes, toPath } from '../../providers/files/disk.ts';
import { purgeWorkspace as purgeRows } from '../../resources/workspaces/empty-store.queries.ts';

/** `mayStill` is asked under the workspace's lock; answers whether it is gone. */
export async function purgeWorkspace(
  service: Service,
  workspaceId: string,
  mayStill: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const purged = await inTransaction(service.db, async (tx) =>
    (await mayStill(tx)) ? purgeRows(tx, workspaceId) : null,
  );
  if (purged === null) return false;
  for (const { testMode, stored } of purged) {
    const toPlace = (id: string) => ({ workspaceId, testMode, id });
    try {
      for (const id of stored.fileIds) await removeBytes(toPath(service.config.dataDir, toPlace(id)));
      for (const { id, sha256 } of stored.documents) await service.documents.remove(toPlace(id), sha256);
    } catch (error) {
      service.log.warn({ err: error, workspaceId }, 'files of a purged workspace were left on disk');
    }
  }
  return true;
}
