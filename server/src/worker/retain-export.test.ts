import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bucket, startBucket } from '../../test/support/bucket.ts';
import { buy } from '../../test/support/buying.ts';
import { DAY_MS } from '../../test/support/clock.ts';
import { expectInvariants } from '../../test/support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../../test/support/receiver.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { parseConfig } from '../config.ts';
import { inTransaction } from '../db/transaction.ts';
import { createLog } from '../main/watching/log.ts';
import { createFolderStore } from '../providers/files/folder.ts';
import { type DaysPlace, readDay } from '../providers/files/kept-days.ts';
import { putBack } from '../resources/retention/put-back.queries.ts';
import { letGo, openDays } from './retain.ts';
import { keepUp } from './upkeep.ts';

const TABLES = [
  'events',
  'webhook_deliveries',
  'webhook_attempts',
  'mails',
  'audit_log',
  'workspace_audit',
] as const;
const REAL_NOW = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;

let app: TestApp;
let receiver: Receiver;
let folder: string;
let url: string;
let bucket: Bucket;
beforeAll(async () => {
  receiver = await createReceiver();
  bucket = await startBucket();
  const through = async (own: string) => {
    url = own;
    return own;
  };
  app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' }, undefined, { through });
  folder = await mkdtemp(path.join(os.tmpdir(), 'kept-'));
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await bucket.close();
  await rm(folder, { recursive: true, force: true });
});

const toDays = (place: string): DaysPlace => ({
  store: createFolderStore(place),
  staging: path.join(app.service.config.dataDir, 'retention.parts'),
});

/** As if it were so many days later. */
async function inDays<T>(days: number, run: () => Promise<T>): Promise<T> {
  const setClock = (byMs: number) =>
    sql`create or replace function real_now_ms() returns bigint language sql volatile parallel safe
      return ${REAL_NOW} + ${sql.raw(String(byMs))}::bigint`.execute(app.service.db);
  await setClock(days * DAY_MS);
  try {
    return await run();
  } finally {
    await setClock(0);
  }
}

/** Lets go of all that is so many days later beyond its time. */
function sweepAfter(days: number, exportTo: DaysPlace): Promise<number> {
  const { db, config } = app.service;
  const { signal } = new AbortController();
  return inDays(days, () => letGo(db, { signal, days: config.retainDays, exportTo, rowsMax: 3 }));
}

/** All rows of all tables that retention knows, as text. */
async function readAll(): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of TABLES) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(r)::text as row from ${sql.table(table)} r order by r.id`.execute(app.service.db);
    all[table] = rows.map(({ row }) => row);
  }
  return all;
}

async function listFiles(): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
}

async function sell(test = app.test): Promise<void> {
  await test.post('/v0/webhooks/create', { url: `${receiver.url}/hook`, events: ['payment_success'] });
  receiver.script({ status: 500 });
  for (let sale = 0; sale < 3; sale += 1) {
    const { body } = await buy(test, { offersIds: [await makeOffer(test)] });
    await test.post(`/v0/orders/${body.data.order.id}/refunds`, {});
  }
  await app.wired.worker.runDue();
}

it('O33 what cannot be written down is not deleted', async () => {
  await sell();
  const before = await readAll();
  const notAFolder = path.join(folder, 'taken');
  await writeFile(notAFolder, '');
  await expect(sweepAfter(731, toDays(notAFolder))).rejects.toThrow();
  expect(await readAll()).toEqual(before);
  await rm(notAFolder);
});

it('what cannot be written down is told in the log with its reason', async () => {
  const lines: string[] = [];
  const log = createLog('warn', { stream: { write: (line) => void lines.push(line) } });
  const notAFolder = path.join(folder, 'taken');
  await writeFile(notAFolder, '');
  const retainExport = { kind: 'folder' as const, folder: notAFolder };
  const service = { ...app.service, log, config: { ...app.service.config, retainExport } };
  const stop = new AbortController();
  await inDays(731, async () => {
    const kept = keepUp(service, stop.signal);
    await expect.poll(() => lines.join(''), { timeout: 10_000 }).toContain('upkeep_failed');
    stop.abort();
    await kept;
  });
  await rm(notAFolder);
  const told = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'upkeep_failed');
  expect(told).toMatchObject({ msg: 'what was kept for its time could not be let go' });
  expect(told.reason).toMatch(/could not be written: E(NOTDIR|EXIST)/);
  expect(told.err.code).toMatch(/^E(NOTDIR|EXIST)$/);
});

it('O33 what was written down comes back as it was', async () => {
  const before = await readAll();
  expect(before.events?.length).toBeGreaterThan(3);
  // Texts first, then rows without them: what was written down of both makes the rows whole again.
  await sweepAfter(91, toDays(folder));
  const bodies = await readAll();
  expect(bodies.mails).not.toEqual(before.mails);
  await sweepAfter(731, toDays(folder));
  const left = await readAll();
  for (const table of ['mails', 'audit_log'] as const) expect(left[table]).toEqual([]);
  await expectInvariants(app);

  const days = (await listFiles()).filter((file) => file.endsWith('.jsonl.gz'));
  for (const file of days) {
    const manifest = JSON.parse(await readFile(file.replace('.jsonl.gz', '.manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ format: 'counterfoil-retention', file: path.basename(file) });
    let rows = 0;
    await inTransaction(app.service.db, async (tx) => {
      for await (const line of readDay(toDays(folder), path.relative(folder, file))) {
        rows += 1;
        await putBack(tx, line);
      }
    });
    expect(rows).toBe(manifest.rows);
  }
  const after = await readAll();
  for (const table of TABLES) expect(new Set(after[table])).toEqual(new Set(before[table]));
  await expectInvariants(app);
});

it('O33 a day that was changed where it lies is refused', async () => {
  const [file] = (await listFiles()).filter((one) => one.endsWith('.jsonl.gz'));
  const bytes = await readFile(file as string);
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
  await writeFile(file as string, bytes);
  await expect(readDay(toDays(folder), path.relative(folder, String(file))).next()).rejects.toThrow(
    'is not what its manifest says',
  );
});

it('O33 a bucket takes days as a folder does: nothing goes that it did not take, and a command brings all back', async () => {
  const env = { RETAIN_EXPORT: bucket.url, ...bucket.env };
  const days = await openDays(parseConfig({ ...env, DATA_DIR: app.service.config.dataDir }));
  if (!days) throw new Error('the setting names a place');
  // What was let go of and put back is not looked at again.
  await sell(app.other);
  const before = await readAll();
  bucket.fail('PUT', 403);
  await expect(sweepAfter(731, days)).rejects.toThrow();
  expect(await readAll()).toEqual(before);
  await sweepAfter(731, days);
  expect((await readAll()).mails).not.toEqual(before.mails);
  const names = [...bucket.objects.keys()].filter((key) => key.endsWith('.jsonl.gz'));
  const words = ['put-back', ...names.map((name) => name.replace('shop/', ''))];
  // As on another machine than the service's: nothing of DATA_DIR is there.
  const DATA_DIR = path.join(folder, 'elsewhere');
  const { code, err } = await runCommand('retention', words, { ...env, DATA_DIR, DATABASE_URL: url });
  expect([code, err]).toEqual([0, '']);
  const after = await readAll();
  for (const table of TABLES) expect(new Set(after[table])).toEqual(new Set(before[table]));
  await expectInvariants(app);
});
