/** A workspace is gone for good: its rows in one transaction, then what lies of it among the files. */
import type { Service } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { removeStored } from '../../providers/files/remove-stored.ts';
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
    const { files, config, log } = service;
    try {
      await removeStored({ files, dataDir: config.dataDir }, { workspaceId, testMode }, stored);
    } catch (error) {
      log.warn({ err: error, workspaceId }, 'files of a purged workspace were left where they lie');
    }
  }
  return true;
}
