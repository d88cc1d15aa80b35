/**
 * Whether this installation is what it was when it last ran. A copy of one that lives would charge, mail and tell all
 * over again what that one did, so it is held until somebody says what it is.
 */
import type { Db, Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { HeldReason } from '../../domain/held.ts';
import {
  findSystemIdentifier,
  hasPaidLiveStore,
  type InstallationState,
  lockInstallationState,
  updateInstallationState,
} from '../../resources/installation/held.queries.ts';

export interface Present {
  /** Of the folder of the embedded cluster; null = a PostgreSQL of the operator's own, which many machines may use. */
  dataDirId: string | null;
  /** Null = none that others reach was set by hand. */
  publicUrl: string | null;
}

export type Identity = Present & { systemIdentifier: string | null };

/** Why it is held, now or since an earlier start; null = it is not. */
export async function holdIfCopied(
  db: Db,
  { present, nowMs }: { present: Present; nowMs: number },
): Promise<HeldReason | null> {
  const now = await identify(db, present);
  return inTransaction(db, async (tx) => {
    const known = await lockInstallationState(tx);
    if (known.heldReason !== null) return known.heldReason;
    const heldReason = await findDifference(tx, known, now);
    if (heldReason === null) await updateInstallationState(tx, toKnown(known, now));
    else await updateInstallationState(tx, { heldSince: nowMs, heldReason });
    return heldReason;
  });
}

export async function identify(db: Db, present: Present): Promise<Identity> {
  return { ...present, systemIdentifier: await findSystemIdentifier(db) };
}

/** What is not known now stays as it was. */
export function toKnown(known: InstallationState, now: Identity): Identity {
  return {
    systemIdentifier: now.systemIdentifier ?? known.systemIdentifier,
    dataDirId: now.dataDirId ?? known.dataDirId,
    publicUrl: now.publicUrl,
  };
}

async function findDifference(tx: Tx, known: InstallationState, now: Identity): Promise<HeldReason | null> {
  if (differ(known.systemIdentifier, now.systemIdentifier)) return 'system_identifier';
  if (differ(known.dataDirId, now.dataDirId)) return 'data_dir';
  // Who has sold nothing yet may move as they like.
  if (differ(known.publicUrl, now.publicUrl) && (await hasPaidLiveStore(tx))) return 'public_url';
  return null;
}

const differ = (before: string | null, now: string | null) =>
  before !== null && now !== null && before !== now;
