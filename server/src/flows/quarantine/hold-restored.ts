/** A store that came out of a backup: what it was restored in place of may live, so it waits for the operator's word. */
import type { Tx } from '../../db/database.ts';
import {
  endLeases,
  lockInstallationState,
  updateInstallationState,
} from '../../resources/installation/held.queries.ts';

export async function holdRestored(tx: Tx, nowMs: number): Promise<void> {
  await lockInstallationState(tx);
  await updateInstallationState(tx, { heldSince: nowMs, heldReason: 'restored' });
  await endLeases(tx);
}
