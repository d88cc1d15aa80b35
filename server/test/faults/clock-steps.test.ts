import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { findViolations } from '../../src/invariants/find-violations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FEW_CONNECTIONS, openShop, type Shop } from './renewing-shop.ts';
import {
  buildService,
  findFreePort,
  readCredentials,
  type ServiceProcess,
  spawnService,
} from './service-process.ts';

const MINUTE_MS = 60_000;
const STEPS_MS = [-10 * MINUTE_MS, 60 * MINUTE_MS];
const SUBSCRIPTIONS = 8;
const LIMITS = { maxConnections: 1, acquireTimeoutMs: 30_000, statementTimeoutMs: 60_000 };

let database: TestDatabase;
let dataDir: string;
let shop: Shop;
const workers: ServiceProcess[] = [];

beforeAll(async () => {
  await buildService();
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-fault-'));
  shop = await openShop({ databaseUrl: database.url, dataDir, env: FEW_CONNECTIONS });
}, 300_000);

afterAll(async () => {
  for (const worker of workers) {
    worker.signal('SIGKILL');
    await worker.exited;
  }
  await shop?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function startWorker(env: Record<string, string>): Promise<ServiceProcess> {
  const all = { ...FEW_CONNECTIONS, ...env, ROLE: 'worker' };
  const worker = spawnService({ port: 0, dataDir, databaseUrl: database.url, env: all });
  workers.push(worker);
  await worker.said('is ready');
  return worker;
}

interface Renewal {
  subscription: string;
  start: string;
  status: string;
  taken: string;
  lateMs: string;
}

const listRenewals = () =>
  shop.query<Renewal>(
    `select p.subscription_id as subscription, p.period_start as start, p.status, p.created_at - p.period_start as "lateMs",
      (select count(*) from charges c join sandbox_charges s on s.id = c.id and s.status = 'succeeded'
        where c.payment_id = p.id) as taken
     from payments p where p.type = 'subscription_interval'`,
  );

/**
 * The worker has seen all that is due: whatever it takes to be due, it has taken. A charge that it did not send, since its
 * clock has just been set so far that it may be late, is asked for by the look at it.
 */
async function untilDone(): Promise<void> {
  for (;;) {
    const rows = await shop.query(
      `select 1 from due_work where due_real_ms <= real_now_ms() or lease_until_ms is not null
       union all select 1 from charges where status = 'pending' limit 1`,
    );
    if (rows.length === 0) return;
    await wait(20);
  }
}

async function readPeriods(): Promise<{ first: number; last: number }> {
  const [row] = await shop.query<{ first: string; last: string }>(
    'select min(current_interval_end) as first, max(current_interval_end) as last from subscriptions',
  );
  return { first: Number(row?.first), last: Number(row?.last) };
}

describe('a process whose system clock is set back an hour', { timeout: 180_000 }, () => {
  it('T15 says so when it starts, and stamps, limits and lets in by the store’s time', async () => {
    const env = {
      NODE_OPTIONS: `--import=${new URL('./stepping-clock.mjs', import.meta.url).href}`,
      CLOCK_STEPS_MS: `0,${-60 * MINUTE_MS}`,
      RATE_LIMIT_TEST: '3',
      SEED_DEMO: 'false',
      ROLE: 'api',
    };
    const port = await findFreePort();
    const api = spawnService({
      port,
      dataDir,
      databaseUrl: database.url,
      env: { ...FEW_CONNECTIONS, ...env },
    });
    workers.push(api);
    await api.ready();
    expect(api.output()).not.toContain('clock is');
    const { test } = await readCredentials(dataDir);
    const headers = {
      'content-type': 'application/json',
      'x-svc-public-key': test.publicKey,
      'x-svc-secret-key': test.secretKey,
    };
    const ask = (path: string, body?: unknown) =>
      fetch(
        api.baseUrl + path,
        body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
      );
    while ((await ask('/v0/offers/list')).status !== 429);
    api.signal('SIGUSR2');
    await api.said('the clock is off by');
    const product = { name: 'Made now', type: 'Game' };
    let made = await ask('/v0/products/create', product);
    // The window of a second goes by; an hour would not.
    while (made.status === 429) {
      await wait(100);
      made = await ask('/v0/products/create', product);
    }
    const { data } = (await made.json()) as { data: { product: { createdAt: number } } };
    expect(Math.abs(data.product.createdAt - Date.now())).toBeLessThan(10 * MINUTE_MS);
    api.signal('SIGTERM');
    await api.exited;

    const late = spawnService({
      port: await findFreePort(),
      dataDir,
      databaseUrl: database.url,
      env: { ...FEW_CONNECTIONS, ...env, CLOCK_STEPS_MS: String(-60 * MINUTE_MS) },
    });
    workers.push(late);
    await late.said('ms behind the store');
    late.signal('SIGTERM');
    await late.exited;
  });
});

describe('a worker whose system clock is ten minutes slow, and then is set an hour fast', {
  timeout: 180_000,
}, () => {
  it('T15 renews nothing early, nothing late and nothing twice', async () => {
    await shop.sell(SUBSCRIPTIONS);
    const stepping = await startWorker({
      NODE_OPTIONS: `--import=${new URL('./stepping-clock.mjs', import.meta.url).href}`,
      CLOCK_STEPS_MS: STEPS_MS.join(','),
    });
    await untilDone();
    await shop.jump((await readPeriods()).last);
    await untilDone();
    expect(await listRenewals()).toHaveLength(SUBSCRIPTIONS);

    stepping.signal('SIGUSR2');
    await stepping.said(`off by ${STEPS_MS[1]} ms`);
    await shop.jump((await readPeriods()).first - 30 * MINUTE_MS);
    // It does what is due, and with it would have done what it took to be.
    await shop.sell(1);
    await untilDone();
    expect(await listRenewals()).toHaveLength(SUBSCRIPTIONS);

    await startWorker({});
    const [last] = await shop.query<{ end: string }>(
      `select max(current_interval_end) as end from subscriptions where exists (select from payments p
        where p.subscription_id = subscriptions.id and p.type = 'subscription_interval')`,
    );
    await shop.jump(Number(last?.end));
    await untilDone();
    const renewals = await listRenewals();
    expect(renewals).toHaveLength(2 * SUBSCRIPTIONS);
    expect(new Set(renewals.map(({ subscription, start }) => subscription + start)).size).toBe(
      renewals.length,
    );
    expect(new Set(renewals.map(({ status, taken }) => `${status} ${taken}`))).toEqual(new Set(['PAID 1']));
    // Stamps are the store's: those of the process would be ten minutes before, or an hour after.
    for (const { lateMs } of renewals) {
      expect(Number(lateMs)).toBeGreaterThanOrEqual(0);
      expect(Number(lateMs)).toBeLessThan(10 * MINUTE_MS);
    }
    const { db, close } = openDatabase({ connectionString: database.url, ...LIMITS });
    expect(await findViolations(db).finally(close)).toEqual([]);
  });
});
