/**
 * `npm run retention -- status | run | put-back FILE…`: what is beyond the time that it is kept for; letting go of it at
 * once, beside a running service too, as the worker does by and by; and rows back from days that RETAIN_EXPORT wrote.
 */
import path from 'node:path';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { KEPT_FOR_A_TIME, type RetentionDays } from '../../domain/retention.ts';
import { type DaysPlace, readDay } from '../../providers/files/kept-days.ts';
import { openFileStore } from '../../providers/files/open-file-store.ts';
import { countHeldStores } from '../../resources/installation/held.queries.ts';
import {
  findOldAccountAudit,
  listWorkspacesWithOldAudit,
} from '../../resources/retention/old-audit.queries.ts';
import { putBack } from '../../resources/retention/put-back.queries.ts';
import { listLate } from '../../resources/retention/retention.queries.ts';
import { listWorkspaceIds } from '../../resources/workspaces/workspaces.queries.ts';
import { letGo, openDays } from '../../worker/retain.ts';
import { answer, talk } from './manners.ts';
import { runOnStore, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

const STORES_MAX = 10_000;
const DAY_MS = 24 * 3_600_000;

type Behind = ReadonlyArray<{ behindMs: number }>;

async function tellStatus(db: Db, retainDays: RetentionDays): Promise<void> {
  for (const kept of KEPT_FOR_A_TIME) {
    const days = retainDays[kept];
    const behind = days === 0 ? [] : await listLate(db, { kept, days, limit: STORES_MAX });
    const holders = behind.length === 1 ? '1 store holds' : `${behind.length} stores hold`;
    tell({ kept, days, behind, holders, counted: { stores: behind.length } });
  }
  // Audit rows that are of no store are kept for as long as a store's.
  const days = retainDays.audit_log;
  const workspaceIds = await listWorkspaceIds(db);
  const own = days === 0 ? [] : await listWorkspacesWithOldAudit(db, { workspaceIds, days });
  const workspaces = own.length === 1 ? '1 workspace holds' : `${own.length} workspaces hold`;
  const counted = { stores: null, workspaces: own.length };
  tell({ kept: 'workspace_audit', days, behind: own, holders: workspaces, counted });
  const behindMs = days === 0 ? null : await findOldAccountAudit(db, days);
  const accounts = behindMs === null ? [] : [{ behindMs }];
  tell({
    kept: 'account_audit',
    days,
    behind: accounts,
    holders: 'accounts hold',
    counted: { stores: null },
  });
}

function tell({
  kept,
  days,
  behind,
  holders,
  counted,
}: {
  kept: string;
  days: number;
  behind: Behind;
  holders: string;
  counted: { stores: number | null; workspaces?: number };
}): void {
  const behindMs = Math.max(0, ...behind.map((one) => one.behindMs));
  const rule = days === 0 ? 'for ever' : `${days} days`;
  const state =
    behind.length === 0
      ? 'nothing is beyond it'
      : `${holders} older ones, by up to ${(behindMs / DAY_MS).toFixed(1)} days`;
  answer({ kept, days, ...counted, behindMs }, `${kept.padEnd(17)} ${rule.padEnd(9)} ${state}`);
}

/** A file of this machine, or the name of one where RETAIN_EXPORT keeps them; all of its lines or none. */
async function putFileBack(db: Db, config: Config, file: string): Promise<void> {
  const staging = path.join(config.dataDir, 'retention.parts');
  const here: DaysPlace = {
    staging,
    store: await openFileStore({ kind: 'folder', folder: path.dirname(path.resolve(file)) }),
  };
  const isHere = await here.store.has(path.basename(file));
  const place = isHere ? here : ((await openDays(config)) ?? here);
  const name = isHere ? path.basename(file) : file;
  const count = await inTransaction(db, async (tx) => {
    let changed = 0;
    for await (const line of readDay(place, name)) changed += await putBack(tx, line);
    return changed;
  });
  answer({ file, rows: count }, `${file}: ${count === 1 ? '1 row is' : `${count} rows are`} back.`);
}

/** What they keep beyond its time is none that a worker is behind with. */
function tellHeld(stores: number): void {
  if (stores === 0) return;
  const which = stores === 1 ? '1 live store that is held' : `${stores} live stores that are held`;
  talk(`Nothing is let go of ${which}, until: npm run resume.`);
}

const USAGE = 'Usage: npm run retention -- status | run | put-back FILE… [--json]';

const { positionals } = readFlags(USAGE, { allowPositionals: true, options: {} });

const [verb, ...files] = positionals;

function checkWords(): void {
  const isAlone = files.length === 0;
  const isRight = verb === 'put-back' ? !isAlone : isAlone && (verb === 'status' || verb === 'run');
  if (!isRight) throw new UsageError(USAGE);
}

async function run(db: Db, config: Config): Promise<void> {
  const { retainDays: days } = config;
  const heldStores = await countHeldStores(db);
  if (verb === 'status') {
    await tellStatus(db, days);
    return tellHeld(heldStores);
  }
  if (verb === 'put-back') {
    for (const file of files) await putFileBack(db, config, file);
    return;
  }
  // Each step is a transaction of its own: what a signal cuts off goes on with the next run.
  const { signal } = new AbortController();
  const count = await letGo(db, { signal, days, exportTo: await openDays(config) });
  const were = count === 1 ? '1 row was' : `${count} rows were`;
  answer({ rows: count, heldStores }, `${were} let go, or their texts.`);
  tellHeld(heldStores);
}

await runOnStore(run, { checkWords });
