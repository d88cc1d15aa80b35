/** The operator says what a held installation, or a workspace that is held alone, is; and it goes on as that. */
import type { Ids } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { toSeries } from '../../domain/invoicing/numbering.ts';
import { toSettings } from '../../domain/settings.ts';
import { takeUpHeldWork } from '../../resources/due-work/held-work.queries.ts';
import {
  type InstallationState,
  listLiveStores,
  lockInstallationState,
  updateInstallationState,
} from '../../resources/installation/held.queries.ts';
import {
  dropWaitingDeliveries,
  dropWaitingMails,
  eraseLiveAccess,
  letGo,
  skipNumbers,
} from '../../resources/installation/resume.queries.ts';
import { beginAdoption, type LostSince } from '../../resources/processors/adopting.queries.ts';
import { identify, type Present, toKnown } from './hold-if-copied.ts';
import { noteQuarantine } from './note-quarantine.ts';

/** What came into a processor's books late, or by its own clock, is read with what came behind it. */
const BEFORE_MS = 24 * 3_600_000;

/** `same`: nothing was lost. `restored`: it takes the place of a lost one. `copy`: it is for tries. */
export const RESUMED_AS = ['same', 'restored', 'copy'] as const;
export type ResumedAs = (typeof RESUMED_AS)[number];

export interface Resuming {
  as: ResumedAs;
  /** Null = the whole installation. */
  workspaceId: string | null;
  present: Present;
  /** Numbers of each series of documents that the lost one may have given out. */
  skip: number;
  /** Sends what waited, too, although the lost one may have sent it. */
  sendOld: boolean;
  nowMs: number;
  ids: Ids;
}

export interface Resumed {
  stores: number;
  /** Workspaces that are held alone, as before. */
  stillHeld: string[];
  mails: number;
  deliveries: number;
  /** Connections whose books are to be held against what was restored, each since when. */
  adopting: LostSince[];
  /** Series with the numbers that are left out. */
  skipped: Array<{ series: string; from: number; to: number }>;
}

/** What was asked cannot be done; told in one line. */
export class ResumeError extends Error {
  override name = 'ResumeError';
}

export async function resume(db: Db, asked: Resuming): Promise<Resumed> {
  const now = await identify(db, asked.present);
  return inTransaction(db, async (tx) => {
    const known = await lockInstallationState(tx);
    const { held: stores, stillHeld } = await listHeld(tx, known, asked);
    const done: Resumed = {
      ...{ stores: stores.length, stillHeld, mails: 0, deliveries: 0 },
      ...{ adopting: [], skipped: [] },
    };
    for (const store of stores) {
      const scope = { workspaceId: store.workspaceId, testMode: false };
      if (asked.as !== 'same') await dropWaiting(tx, scope, { asked, done });
      if (asked.as === 'restored') {
        done.skipped.push(...(await skipOf(tx, scope, { asked, settings: store.settings })));
        const heldSince = known.heldSince ?? store.heldSince ?? asked.nowMs;
        done.adopting.push(...(await adoptOf(tx, scope, heldSince)));
      }
      if (asked.as === 'copy') await eraseLiveAccess(tx, scope, asked.nowMs);
      await letGo(tx, scope);
      await takeUpHeldWork(tx, scope);
    }
    await updateInstallationState(tx, {
      ...(asked.workspaceId === null ? { ...toKnown(known, now), heldSince: null, heldReason: null } : {}),
      epoch: known.epoch + (asked.as === 'restored' ? 1 : 0),
      ...(asked.as === 'copy' ? { isCopy: true } : {}),
    });
    const { workspaceId, nowMs, as } = asked;
    await noteQuarantine(tx, asked.ids, { what: 'resume', workspaceId, nowMs, details: { as } });
    return done;
  });
}

async function listHeld(tx: Tx, known: InstallationState, { as, workspaceId }: Resuming) {
  if (workspaceId !== null && as === 'copy')
    throw new ResumeError('A copy for tries is so as a whole: leave --workspace out.');
  if (workspaceId !== null && known.heldSince !== null)
    throw new ResumeError('The whole installation is held: leave --workspace out.');
  const live = await listLiveStores(tx, workspaceId);
  if (workspaceId !== null && live.length === 0) throw new Refusal('workspace_not_found');
  const alone = live.filter(({ heldSince }) => heldSince !== null);
  // What was restored beside stores that sell says nothing of these: it must not make them a copy for good.
  if (as === 'copy' && known.heldSince === null && alone.length < live.length && alone.length > 0)
    throw new ResumeError(
      'A copy for tries is so as a whole, and here others sell: say --same or --restored of what is held alone, or npm run hold first.',
    );
  if (workspaceId === null && as === 'same' && known.heldSince === null) refuseMixed(alone);
  // That the whole lost nothing says nothing of what was restored beside it, and is held for that.
  const together = as === 'same' ? live.filter((store) => !alone.includes(store)) : live;
  const held = known.heldSince === null ? alone : together;
  if (held.length === 0 && known.heldSince === null) throw new ResumeError('Nothing of that is held.');
  const stillHeld = alone.filter((store) => !held.includes(store)).map((store) => store.workspaceId);
  return { held, stillHeld };
}

/** That those held by hand lost nothing says nothing of those that were restored, and are held for that. */
function refuseMixed(alone: readonly Pick<Row<'stores'>, 'workspaceId' | 'heldReason'>[]): void {
  if (new Set(alone.map(({ heldReason }) => heldReason)).size < 2) return;
  const named = alone.map(({ workspaceId, heldReason }) => `${workspaceId} (${heldReason})`).join(', ');
  throw new ResumeError(`Held alone, for different reasons: ${named}. Say which one by --workspace ID.`);
}

async function dropWaiting(
  tx: Tx,
  scope: Scope,
  { asked, done }: { asked: Resuming; done: Resumed },
): Promise<void> {
  if (asked.sendOld && asked.as === 'restored') return;
  done.mails += await dropWaitingMails(tx, scope, asked.as);
  done.deliveries += await dropWaitingDeliveries(tx, scope, asked.as);
}

/** The test store beside it was restored, too, and processors have test accounts. */
async function adoptOf(tx: Tx, scope: Scope, heldSince: number): Promise<LostSince[]> {
  const since = { heldSince, beforeMs: BEFORE_MS };
  await beginAdoption(tx, { ...scope, testMode: true }, since);
  return beginAdoption(tx, scope, since);
}

/** A series is of a year: documents get numbers of those of today alone. */
async function skipOf(
  tx: Tx,
  scope: Scope,
  { asked: { skip, nowMs }, settings }: { asked: Resuming; settings: Record<string, unknown> },
): Promise<Resumed['skipped']> {
  if (skip === 0) return [];
  const { invoicePrefix, creditNotePrefix } = toSettings(settings);
  const series = new Set(
    [invoicePrefix, creditNotePrefix].map((prefix) => toSeries(prefix, { testMode: false, atMs: nowMs })),
  );
  return Promise.all([...series].map((one) => skipNumbers(tx, scope, { series: one, skip, nowMs })));
}
