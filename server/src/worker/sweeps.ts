/**
 * What is over of all stores, let go of batch by batch. Each sweep answers how many rows went; several processes may do the
 * same at once.
 */
import type { Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import { deleteOver, listOver, type OverRows } from '../db/over-rows.ts';
import { inTransaction } from '../db/transaction.ts';
import { RETIRED_KINDS } from '../domain/due-work.ts';
import { removeBytes, toPath } from '../providers/files/disk.ts';
import { removeStored } from '../providers/files/remove-stored.ts';
import { deleteOldAccountRows } from '../resources/accounts/old-account-rows.queries.ts';
import {
  deleteOldSessions,
  deleteOldSoldSessions,
  OLD_SESSIONS,
  OLD_SOLD_SESSIONS,
} from '../resources/checkouts/old-sessions.queries.ts';
import { deleteOldDevices } from '../resources/device-requests/device-requests.queries.ts';
import { ofKinds } from '../resources/due-work/due-work.queries.ts';
import { forgetFile, listSpentExports, OLD_EXPORTS } from '../resources/exports/exports.queries.ts';
import { deleteUnusedFile, listUnusedFiles } from '../resources/files/files.queries.ts';
import { deleteOldAccountKeys } from '../resources/idempotency-keys/account-keys.queries.ts';
import { OLD_KEYS } from '../resources/idempotency-keys/idempotency-keys.queries.ts';
import { deleteOldCounters } from '../resources/limits/limits.queries.ts';
import {
  deleteOldListeners,
  dropUnheard,
  ENDED_LISTENERS,
  endListeners,
  IDLE_LISTENERS,
  OLD_LISTENERS,
} from '../resources/listeners/listeners.queries.ts';
import {
  blankChangeCodes,
  deleteMailedRows,
  deleteOldSlugs,
  listOldChangeCodes,
  OLD_MAILED_ROWS,
  OLD_PORTAL_ROWS,
} from '../resources/portal/old-portal-rows.queries.ts';
import { deleteOldRequests, listLoggedStores } from '../resources/request-log/request-log.queries.ts';
import { ROWS_PER_BATCH, sweep, sweepEach, sweepStores } from './sweep-stores.ts';

/** Deletes rows of stores that are over. */
export async function sweepOver(db: Db, signal: AbortSignal, of: OverRows): Promise<number> {
  return sweepStores(db, signal, {
    list: (asked, listing) => listOver(asked, of, listing),
    take: (asked, scope, rows) => deleteOver(asked, scope, { of, rows }),
  });
}

/** Deletes the keys whose time is over. */
export async function sweepIdempotencyKeys(db: Db, signal: AbortSignal): Promise<number> {
  const ofAccounts = await sweep(signal, () => deleteOldAccountKeys(db, ROWS_PER_BATCH));
  return ofAccounts + (await sweepOver(db, signal, OLD_KEYS));
}

/** Deletes the counters whose window is over. */
export async function sweepLimitCounters(db: Db, signal: AbortSignal): Promise<number> {
  return sweep(signal, () => deleteOldCounters(db, ROWS_PER_BATCH));
}

/** Deletes the sessions that made no order and ended long ago, and those that made one longer ago. */
export async function sweepSessions(db: Db, signal: AbortSignal): Promise<number> {
  const idle = await sweepStores(db, signal, {
    list: (asked, listing) => listOver(asked, OLD_SESSIONS, listing),
    take: (asked, scope, rows) => inTransaction(asked, (tx) => deleteOldSessions(tx, scope, rows)),
  });
  const sold = await sweepStores(db, signal, {
    list: (asked, listing) => listOver(asked, OLD_SOLD_SESSIONS, listing),
    take: (asked, scope, rows) => inTransaction(asked, (tx) => deleteOldSoldSessions(tx, scope, rows)),
  });
  return idle + sold;
}

/** Deletes sessions, links, counters, letters and failures of accounts whose time is over. */
export async function sweepAccountRows(db: Db, signal: AbortSignal): Promise<number> {
  const devices = await sweep(signal, () => deleteOldDevices(db, ROWS_PER_BATCH));
  return devices + (await sweep(signal, () => deleteOldAccountRows(db, ROWS_PER_BATCH)));
}

/** Deletes sessions, codes and failures of the portals whose time is over, and takes the words of their mails. */
export async function sweepPortalRows(db: Db, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (const of of OLD_PORTAL_ROWS) total += await sweepOver(db, signal, of);
  total += await sweepStores(db, signal, { list: listOldChangeCodes, take: blankChangeCodes });
  for (const { of, mail } of OLD_MAILED_ROWS) {
    total += await sweepStores(db, signal, {
      list: (asked, listing) => listOver(asked, of, listing),
      take: (asked, scope, rows) =>
        inTransaction(asked, (tx) => deleteMailedRows(tx, scope, { of, mail, rows })),
    });
  }
  return total + (await sweepEach(db, signal, (workspaceIds) => deleteOldSlugs(db, workspaceIds)));
}

/** Ends the listeners that nobody has asked for in a day, and forgets those that ended long ago; answers how many ended. */
export async function sweepListeners(db: Db, signal: AbortSignal): Promise<number> {
  const ended = await sweepStores(db, signal, {
    list: (asked, listing) => listOver(asked, IDLE_LISTENERS, listing),
    take: endListeners,
  });
  await sweepStores(db, signal, {
    list: (asked, listing) => listOver(asked, ENDED_LISTENERS, listing),
    take: dropUnheard,
  });
  await sweepStores(db, signal, {
    list: (asked, listing) => listOver(asked, OLD_LISTENERS, listing),
    take: (asked, scope, rows) => inTransaction(asked, (tx) => deleteOldListeners(tx, scope, rows)),
  });
  return ended;
}

const REQUESTS_KEPT_MS = 7 * 24 * 3_600_000;

/** Deletes what the request logs hold for longer than a week. */
export async function sweepRequests(db: Db, signal: AbortSignal): Promise<number> {
  return sweepEach(db, signal, async (workspaceIds) => {
    let total = 0;
    for (const scope of await listLoggedStores(db, workspaceIds)) {
      const old = { limit: ROWS_PER_BATCH, beforeMs: Date.now() - REQUESTS_KEPT_MS };
      total += await sweep(signal, () => inTransaction(db, (tx) => deleteOldRequests(tx, scope, old)));
    }
    return total;
  });
}

/** Removes the bytes of exports that are over, and then their rows. */
export async function sweepExports(db: Db, signal: AbortSignal, dataDir: string): Promise<number> {
  await sweepStores(db, signal, {
    list: listSpentExports,
    take: async (asked, scope, spent) => {
      for (const { id } of spent) {
        await removeBytes(toPath(dataDir, { ...scope, id }));
        await forgetFile(asked, scope, id);
      }
      return spent.length;
    },
  });
  return sweepOver(db, signal, OLD_EXPORTS);
}

/** Rows first: what points to an upload in that moment keeps it, and bytes that a kill leaves behind are nobody's. */
export async function sweepUploads(
  db: Db,
  signal: AbortSignal,
  { files, config }: Pick<Service, 'files' | 'config'>,
): Promise<number> {
  return sweepStores(db, signal, {
    list: listUnusedFiles,
    take: async (asked, scope, unused) => {
      for (const { id } of unused) {
        const file = await deleteUnusedFile(asked, scope, id);
        const stored = { files: file ? [file] : [], exportIds: [], documents: [] };
        await removeStored({ files, dataDir: config.dataDir }, scope, stored);
      }
      return unused.length;
    },
  });
}

/** Deletes what is due of kinds that nobody does any more. */
export async function sweepRetiredWork(
  db: Db,
  signal: AbortSignal,
  kinds: readonly string[] = RETIRED_KINDS,
): Promise<number> {
  return kinds.length === 0 ? 0 : sweepOver(db, signal, ofKinds(kinds));
}
