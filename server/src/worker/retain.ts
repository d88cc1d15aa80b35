/**
 * Lets go of what was kept for its time, store by store: short statements, and rests between them, so that who sells
 * does not wait. A sweep that is killed goes on at the next round from where the store says that it ended.
 */
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { isSpread } from '../db/store-form.ts';
import { inTransaction } from '../db/transaction.ts';
import { runLeased } from '../db/upkeep-lease.ts';
import { KEPT_FOR_A_TIME, type RetentionDays } from '../domain/retention.ts';
import type { DaysPlace } from '../providers/files/kept-days.ts';
import { openFileStore } from '../providers/files/open-file-store.ts';
import {
  deleteOldAccountAudit,
  deleteOldWorkspaceAudit,
  listOldAccountAudit,
  listOldWorkspaceAudit,
  listWorkspacesWithOldAudit,
} from '../resources/retention/old-audit.queries.ts';
import {
  type Cutting,
  findLooked,
  letGoOfOldest,
  listBehind,
  listSpent,
  noteLooked,
} from '../resources/retention/retention.queries.ts';
import { listWorkspaceIds } from '../resources/workspaces/workspaces.queries.ts';
import { type KeptRows, letGoByDays } from './let-go-by-days.ts';

const ROWS_MAX = 500;
const ROWS_MIN = 50;
/** A batch that takes longer is followed by one of half its size. */
const SLOW_MS = 200;
/** So many times as long as the work: at most a fifth of the time is work. */
const REST = 4;
/** Less than the lease: another process may go on then. */
const ROUND_MS = 40_000;
const STORES_PER_LOOK = 100;

export interface Sweeping {
  signal: AbortSignal;
  days: RetentionDays;
  /** Where a day is written down before it goes; null = nowhere. */
  exportTo: DaysPlace | null;
  /** Rows of a statement; missing = as many as is good. */
  rowsMax?: number;
  /** Told of each batch. */
  onBatch?: (kept: string, count: number) => void;
}

/** What a worker does of it now and then: one process at a time, and not for longer than it has the lease. */
export async function retain({ db, config, notice }: Service, signal: AbortSignal): Promise<number> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(ROUND_MS)]);
  const days = config.retainDays;
  const onBatch = (kept: string, count: number) => notice({ what: 'let go', kept, count });
  // Nothing is written while nothing is to be done.
  if (!(await isBehind(db, days))) return 0;
  const sweeping = { signal: ending, days, exportTo: await openDays(config), onBatch };
  return (await runLeased(db, { name: 'retention', isWorker: true }, () => letGo(db, sweeping))) ?? 0;
}

/** Null = nothing is written down. */
export async function openDays({
  retainExport,
  dataDir,
}: Pick<Service['config'], 'retainExport' | 'dataDir'>): Promise<DaysPlace | null> {
  if (retainExport === null) return null;
  return { store: await openFileStore(retainExport), staging: path.join(dataDir, 'retention.parts') };
}

async function isBehind(db: Db, days: RetentionDays): Promise<boolean> {
  // To ask all stores would cost more than to sweep those whose turn it is.
  if (isSpread(db)) return true;
  for (const cutting of listCuttings(days)) {
    if ((await listBehind(db, { ...cutting, limit: 1 })).length > 0) return true;
  }
  return false;
}

const listCuttings = (days: RetentionDays): Cutting[] =>
  KEPT_FOR_A_TIME.map((kept) => ({ kept, days: days[kept] })).filter((cutting) => cutting.days > 0);

/** All that is beyond its time, of all stores, until the signal; answers how many rows were let go. */
export async function letGo(db: Db, sweeping: Sweeping): Promise<number> {
  let total = 0;
  for (const cutting of listCuttings(sweeping.days)) {
    const seen = new Set<string>();
    while (!sweeping.signal.aborted) {
      const behind = await listBehind(db, { ...cutting, limit: STORES_PER_LOOK, byTurns: true });
      const fresh = behind.filter((scope) => !seen.has(toKey(scope)));
      // What is left is open, and is looked at in the next round.
      if (fresh.length === 0) break;
      for (const { workspaceId, testMode } of fresh) {
        const scope = { workspaceId, testMode };
        seen.add(toKey(scope));
        total += await sweepStore(db, scope, { ...sweeping, cutting });
      }
    }
  }
  return total + (await sweepOthers(db, sweeping));
}

const toKey = ({ workspaceId, testMode }: Scope) => `${workspaceId} ${testMode}`;

async function sweepStore(
  db: Db,
  scope: Scope,
  { cutting, ...sweeping }: Sweeping & { cutting: Cutting },
): Promise<number> {
  const { kept } = cutting;
  const fromRealMs = await findLooked(db, scope, kept);
  const letGoSome = (batch: { fromRealMs: number; limit: number; only?: readonly string[] }) =>
    inTransaction(db, (tx) => letGoOfOldest(tx, scope, { ...cutting, ...batch }));
  const source: KeptRows = {
    owner: `${scope.workspaceId}/${scope.testMode ? 'test' : 'live'}`,
    kept,
    list: (after, limit) => listSpent(db, scope, { ...cutting, fromRealMs, after, limit }),
    letGo: async (only) => (await letGoSome({ fromRealMs, limit: only.length, only })).count,
  };
  const { total, isWhole } = await sweepRows(source, sweeping, async () => {
    let from = fromRealMs;
    return inBatches({ ...sweeping, kept }, async (limit) => {
      const { count, nextRealMs } = await letGoSome({ fromRealMs: from, limit });
      from = nextRealMs;
      return count;
    });
  });
  if (isWhole && !sweeping.signal.aborted) await inTransaction(db, (tx) => noteLooked(tx, scope, cutting));
  return total;
}

/** By days where they are written down before, and else as `run` does it. */
async function sweepRows(
  source: KeptRows,
  sweeping: Sweeping,
  run: () => Promise<number>,
): Promise<{ total: number; isWhole: boolean }> {
  const { exportTo: place, signal } = sweeping;
  if (place === null) return { total: await run(), isWhole: true };
  return letGoByDays(source, {
    place,
    signal,
    inBatches: (batch) => inBatches({ ...sweeping, kept: source.kept }, batch),
  });
}

/** Audit rows of workspaces as a whole and of accounts: of no store. */
async function sweepOthers(db: Db, sweeping: Sweeping): Promise<number> {
  const days = sweeping.days.audit_log;
  if (days === 0 || sweeping.signal.aborted) return 0;
  const accounts: KeptRows = {
    owner: 'accounts',
    kept: 'account_audit',
    list: (after, limit) => listOldAccountAudit(db, { days, after, limit }),
    letGo: (only) => deleteOldAccountAudit(db, { days, limit: only.length, only }),
  };
  let { total } = await sweepRows(accounts, sweeping, () =>
    inBatches({ ...sweeping, kept: accounts.kept }, (limit) => deleteOldAccountAudit(db, { days, limit })),
  );
  const workspaceIds = await listWorkspaceIds(db);
  for (const { id: workspaceId } of await listWorkspacesWithOldAudit(db, { workspaceIds, days })) {
    const remove = (old: { limit: number; only?: readonly string[] }) =>
      inTransaction(db, (tx) => deleteOldWorkspaceAudit(tx, workspaceId, { days, ...old }));
    const own: KeptRows = {
      owner: workspaceId,
      kept: 'workspace_audit',
      list: (after, limit) => listOldWorkspaceAudit(db, workspaceId, { days, after, limit }),
      letGo: (only) => remove({ limit: only.length, only }),
    };
    const swept = await sweepRows(own, sweeping, () =>
      inBatches({ ...sweeping, kept: own.kept }, (limit) => remove({ limit })),
    );
    total += swept.total;
  }
  return total;
}

/** Until a batch is not full, or the signal; answers how many rows in all. */
async function inBatches(
  { signal, rowsMax = ROWS_MAX, kept, onBatch }: Sweeping & { kept: string },
  run: (limit: number) => Promise<number>,
): Promise<number> {
  let total = 0;
  let limit = rowsMax;
  while (!signal.aborted) {
    const fromMs = performance.now();
    const count = await run(limit);
    const tookMs = performance.now() - fromMs;
    total += count;
    if (count > 0) onBatch?.(kept, count);
    if (count < limit) break;
    limit = tookMs > SLOW_MS ? Math.max(Math.min(ROWS_MIN, rowsMax), Math.floor(limit / 2)) : rowsMax;
    await wait(REST * tookMs, undefined, { signal, ref: false }).catch(() => {});
  }
  return total;
}
