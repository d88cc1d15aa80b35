/**
 * Whether this installation is what it was when it last ran. A copy of one that lives would charge, mail and tell all
 * over again what that one did, so it is held until somebody says what it is.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Db, Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Beat } from '../../db/witness.ts';
import type { HeldReason } from '../../domain/held.ts';
import {
  findSystemIdentifier,
  getInstallationState,
  hasPaidLiveStore,
  type InstallationState,
  lockInstallationState,
  updateInstallationState,
} from '../../resources/installation/held.queries.ts';
import { findLastBeat, hasBeat } from '../../resources/installation/processes.queries.ts';
import { readStoreState } from '../../resources/installation/store-state.queries.ts';

/** Within it each process that lives has said so. */
const BEATS_APART_MS = 2_500;

export interface Present {
  /** Of the folder of the embedded cluster; null = a PostgreSQL of the operator's own, which many machines may use. */
  dataDirId: string | null;
  /** Null = none that others reach was set by hand. */
  publicUrl: string | null;
}

/** `timeline`: null for an embedded store, which has no standby. */
export type Identity = Present & { systemIdentifier: string | null; timeline: number | null };

export interface Comparing {
  present: Present;
  /** What the store acknowledged last, as the process of before kept it; null = nobody has. */
  remembered: Beat | null;
  nowMs: number;
}

/** Why it is held, now or since an earlier start; null = it is not. */
export async function holdIfCopied(
  db: Db,
  { present, remembered, nowMs }: Comparing,
): Promise<HeldReason | null> {
  const now = await identify(db, present);
  const lost = await findLoss(db, now, remembered);
  return inTransaction(db, async (tx) => {
    const known = await lockInstallationState(tx);
    if (known.heldReason !== null) return known.heldReason;
    const heldReason = (await findDifference(tx, known, now)) ?? lost;
    if (heldReason === null) await updateInstallationState(tx, toKnown(known, now));
    else await updateInstallationState(tx, { heldSince: nowMs, heldReason });
    return heldReason;
  });
}

export async function identify(db: Db, present: Present): Promise<Identity> {
  const timeline = present.dataDirId === null ? (await readStoreState(db)).timeline : null;
  return { ...present, timeline, systemIdentifier: await findSystemIdentifier(db) };
}

/** What is not known now stays as it was. */
export function toKnown(known: InstallationState, now: Identity): Identity {
  return {
    systemIdentifier: now.systemIdentifier ?? known.systemIdentifier,
    dataDirId: now.dataDirId ?? known.dataDirId,
    publicUrl: now.publicUrl,
    timeline: now.timeline ?? known.timeline,
  };
}

async function findDifference(tx: Tx, known: InstallationState, now: Identity): Promise<HeldReason | null> {
  if (differ(known.systemIdentifier, now.systemIdentifier)) return 'system_identifier';
  if (differ(known.dataDirId, now.dataDirId)) return 'data_dir';
  // Who has sold nothing yet may move as they like.
  if (differ(known.publicUrl, now.publicUrl) && (await hasPaidLiveStore(tx))) return 'public_url';
  return null;
}

/**
 * Whether a PostgreSQL of the operator's own shows less than it had acknowledged. Of one that was promoted, and of which
 * nobody remembers what it should show, it is not known.
 */
async function findLoss(db: Db, now: Identity, remembered: Beat | null): Promise<'witness' | null> {
  const { timeline, systemIdentifier } = await getInstallationState(db);
  // Nothing has run over it yet: what is remembered is another store's.
  if (now.timeline === null || systemIdentifier === null) return null;
  const isThere = remembered && (await hasBeat(db, remembered));
  if (isThere !== null) return isThere ? null : 'witness';
  if (timeline === null || now.timeline <= timeline || (await isSomebodyThere(db))) return null;
  return 'witness';
}

/** Who lives remembers for itself, and has looked before its next beat. */
async function isSomebodyThere(db: Db): Promise<boolean> {
  const before = await findLastBeat(db);
  if (before === null) return false;
  await wait(BEATS_APART_MS);
  return ((await findLastBeat(db)) ?? 0) > before;
}

const differ = (before: string | null, now: string | null) =>
  before !== null && now !== null && before !== now;
