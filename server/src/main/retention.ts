/**
 * `npm run retention -- status | run`: what is beyond the time that it is kept for, and letting go of it at once, beside
 * a running service too. What the worker does of it by and by is the same.
 */
import type { Db } from '../db/database.ts';
import { KEPT_FOR_A_TIME, type RetentionDays } from '../domain/retention.ts';
import { listBehind } from '../resources/retention/retention.queries.ts';
import { letGo } from '../worker/retain.ts';
import { runOnStore } from './operator-store.ts';

const STORES_MAX = 10_000;
const DAY_MS = 24 * 3_600_000;

async function tellStatus(db: Db, retainDays: RetentionDays): Promise<void> {
  for (const kept of KEPT_FOR_A_TIME) {
    const days = retainDays[kept];
    const behind = days === 0 ? [] : await listBehind(db, { kept, days, limit: STORES_MAX });
    const oldest = Math.max(0, ...behind.map(({ behindMs }) => behindMs));
    const rule = days === 0 ? 'for ever' : `${days} days`;
    const state =
      behind.length === 0
        ? 'nothing is beyond it'
        : `${behind.length} stores hold older ones, by up to ${(oldest / DAY_MS).toFixed(1)} days`;
    console.log(`${kept.padEnd(17)} ${rule.padEnd(9)} ${state}`);
  }
}

await runOnStore(async (db, { retainDays: days }) => {
  const [verb] = process.argv.slice(2);
  if (verb === 'status') return tellStatus(db, days);
  if (verb !== 'run') throw new Error('Usage: npm run retention -- status | run');
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  const count = await letGo(db, { signal: ending.signal, days });
  console.log(`${count} rows were let go, or their texts.`);
});
