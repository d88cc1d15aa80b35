/** A store that was moved as a whole: it goes on as the same where it lies now, held where it was held before. */
import type { Ids } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import { lockInstallationState, updateInstallationState } from '../../resources/installation/held.queries.ts';
import { type Identity, identify, toKnown } from './hold-if-copied.ts';
import { noteQuarantine } from './note-quarantine.ts';

/** What it is on a server of the operator's own. */
export async function identifyMoved(db: Db): Promise<Identity> {
  return identify(db, { dataDirId: null, publicUrl: null });
}

export async function settleMoved(
  tx: Tx,
  { now, nowMs, ids }: { now: Identity; nowMs: number; ids: Ids },
): Promise<void> {
  const known = await lockInstallationState(tx);
  // Its address is compared at its next start, as ever.
  const settled = { ...toKnown(known, now), publicUrl: known.publicUrl, dataDirId: null };
  await updateInstallationState(tx, settled);
  if (known.heldReason !== null) return;
  await noteQuarantine(tx, ids, { what: 'resume', workspaceId: null, nowMs, details: { as: 'same' } });
}
