/** A store that shows less than it had acknowledged: what is missing was charged, mailed and told, so it waits for a word. */
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { lockInstallationState, updateInstallationState } from '../../resources/installation/held.queries.ts';

export async function holdLost(db: Db, nowMs: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const known = await lockInstallationState(tx);
    if (known.heldReason !== null) return;
    await updateInstallationState(tx, { heldSince: nowMs, heldReason: 'witness' });
  });
}

/** Another server is the primary, and shows all that was acknowledged. */
export async function noteTimeline(db: Db, timeline: number | null): Promise<void> {
  await inTransaction(db, async (tx) => {
    const known = await lockInstallationState(tx);
    // Of one that is held it stays as it was when it last ran: the operator's word writes it.
    if (known.heldReason === null) await updateInstallationState(tx, { timeline });
  });
}
