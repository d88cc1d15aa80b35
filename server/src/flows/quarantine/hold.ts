/** The operator holds the installation, or one workspace: nothing goes out of it until he lets it go on. */
import type { Ids } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import type { HeldReason } from '../../domain/held.ts';
import {
  holdLiveStore,
  listLiveStores,
  lockInstallationState,
  updateInstallationState,
} from '../../resources/installation/held.queries.ts';
import { noteQuarantine } from './note-quarantine.ts';

export interface Holding {
  /** Null = the whole installation. */
  workspaceId: string | null;
  /** In the operator's words; it stands in the audit log. */
  why: string;
  nowMs: number;
  ids: Ids;
}

/** What was asked cannot be done; told in one line. */
export class HoldError extends Error {
  override name = 'HoldError';
}

const BY_OPERATOR: HeldReason = 'operator';

/** Answers how many live stores are held by it. Throws HoldError where it is held already, and workspace_not_found. */
export async function hold(db: Db, { workspaceId, why, nowMs, ids }: Holding): Promise<number> {
  return inTransaction(db, async (tx) => {
    const known = await lockInstallationState(tx);
    if (known.heldReason !== null)
      throw new HoldError(`The whole installation is held already (${known.heldReason}).`);
    const stores = await listLiveStores(tx, workspaceId);
    const held = { heldSince: nowMs, heldReason: BY_OPERATOR };
    if (workspaceId === null) await updateInstallationState(tx, held);
    else {
      const [store] = stores;
      if (!store) throw new Refusal('workspace_not_found');
      if (store.heldReason !== null) throw new HoldError(`It is held already (${store.heldReason}).`);
      await holdLiveStore(tx, { workspaceId, testMode: false }, held);
    }
    await noteQuarantine(tx, ids, { what: 'hold', workspaceId, nowMs, details: { why } });
    return stores.length;
  });
}
