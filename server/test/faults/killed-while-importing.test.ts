/** A commit whose worker is killed at any moment comes to what one commit comes to that nobody disturbed. */
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { findBroken } from '../../src/main/operators/find-broken.ts';
import { DAY_MS } from '../support/clock.ts';
import { copyTestDatabase, openPool, type TestDatabase } from '../support/database.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import {
  createImporting,
  customer,
  type FileLine,
  PLAN_LINES,
  type Shown,
  subscription,
} from '../support/importing.ts';
import { makeFolder } from '../support/restoring.ts';
import { buildService, findFreePort, type ServiceProcess, spawnService } from './service-process.ts';

const KILLS = 20;
const CUSTOMERS = 2_000;

let undisturbed: TestApp;
let url = '';
let killed: TestDatabase;
let pool: pg.Pool;
let planned: Shown;

beforeAll(async () => {
  await buildService();
  const through = async (given: string) => {
    url = given;
    return given;
  };
  undisturbed = await createTestApp({}, undefined, { through });
  planned = await createImporting(undisturbed).plan(await listLines());
  // Two stores that have looked at one file, up to the commit.
  await undisturbed.wired.close();
  killed = await copyTestDatabase({ url });
  pool = openPool(killed);
}, 600_000);
afterAll(async () => {
  await pool?.end();
  await killed?.drop();
  await undisturbed?.close().catch(() => {});
});

async function listLines(): Promise<FileLine[]> {
  const { body } = await undisturbed.test.get('/v0/test-clock');
  const paidUntil = body.data.testClock.now + 20 * DAY_MS;
  const numbers = Array.from({ length: CUSTOMERS }, (_, n) => n);
  const dates = { createdAt: Date.UTC(2024, 4, 1), paidAt: Date.UTC(2024, 4, 1, 1) };
  return [
    ...PLAN_LINES,
    ...numbers.map((n) => customer(`c${n}`)),
    ...numbers.map((n) => ({
      ...{ kind: 'purchase', ref: `s${n}`, customerRef: `c${n}`, value: 3570, tax: 570 },
      ...{ currency: 'EUR', country: 'CH', items: [{ offerRef: 'price_game', quantity: 1 }], ...dates },
    })),
    ...numbers.map((n) => ({
      ...{ kind: 'key', ref: `k${n}`, offerRef: 'price_game', purchaseRef: `s${n}` },
      ...{ key: `KEY-${n}`, state: 'sold' },
    })),
    ...numbers.map((n) =>
      subscription(`c${n}`, {
        ...{ createdAt: paidUntil - 200 * DAY_MS, anchorAt: paidUntil, paidUntil, nextTotal: 1200 },
      }),
    ),
  ];
}

async function commit({ baseUrl }: ServiceProcess): Promise<void> {
  const { publicKey, secretKey } = undisturbed.test.keys;
  const headers = {
    'content-type': 'application/json',
    'x-svc-public-key': publicKey,
    'x-svc-secret-key': secretKey,
  };
  const body = JSON.stringify({ plan: planned.plan.hash });
  const answer = await fetch(`${baseUrl}/v0/imports/${planned.id}/commit`, { method: 'POST', headers, body });
  expect(answer.status, await answer.text()).toBe(200);
}

/** All of them once it is committed, which leaves no lines: asked at once, as the dead worker's last statement may still end. */
async function countDone(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select case when exists (select from imports where status = 'committed') then $1
              else (select count(*)::int from import_rows where done) end as count`,
    [PLAN_LINES.length + 4 * CUSTOMERS],
  );
  return rows[0]?.count ?? 0;
}

/** Whether it is committed, of which nothing is left to do. */
async function isCommitted(): Promise<boolean> {
  const { rows } = await pool.query('select from imports where status = $1', ['committed']);
  return rows.length > 0;
}

/** What was brought in by the names that it has there, and how many rows each table has but for sums of others. */
async function readStore(of: Pick<pg.Pool, 'query'>) {
  const read = async (text: string) => (await of.query<Record<string, unknown>>(text)).rows;
  const tables =
    await read(`select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = 'test_mode'
      and c.relname <> all('{due_work,request_log}'::text[]) and c.relname !~ '^figure_' order by 1`);
  const counts: Record<string, unknown> = {};
  for (const { name } of tables)
    counts[String(name)] = (await read(`select count(*)::int as n from ${name}`))[0]?.n;
  return {
    counts,
    users: await read('select email, username, billing_details from users order by email'),
    orders:
      await read(`select o.imported, o.status, o.type, o.value::text, o.tax::text, o.created_at, o.paid_at, u.email
      from orders o join users u on u.id = o.user_id order by u.email, o.type, o.imported ->> 'ref'`),
    keys: await read(`select k.key_text, k.status, o.imported ->> 'ref' as ref from offer_keys k
      left join orders o on o.id = k.order_id order by k.key_text`),
    subscriptions: await read(`select u.email, s.status, s.current_interval_start, s.current_interval_end
      from subscriptions s join users u on u.id = s.user_id order by u.email`),
    refs: await read(
      'select source, kind, ref, body_hash, object_version from import_refs order by kind, ref',
    ),
  };
}

/** Killed by turns in the midst of a batch, as soon as one more is in, and at any moment at all. */
async function waitForMoment(nth: number, worker: ServiceProcess): Promise<void> {
  const from = await countDone();
  await worker.said('is ready');
  if (nth % 3 === 0) await wait((nth * 97) % 300);
  if (nth % 3 === 1) await expect.poll(async () => (await countDone()) > from || isCommitted()).toBe(true);
  if (nth % 3 === 2) await expect.poll(async () => (await isWriting()) || isCommitted()).toBe(true);
}

/** A batch is being written in this moment. */
async function isWriting(): Promise<boolean> {
  const { rows } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
      and query ~ 'insert into "(users|orders|subscriptions|import_refs|offer_keys|order_items)"'`,
  );
  return rows.length > 0;
}

it('X42 killed 20 times, a commit comes to what it comes to at once', async () => {
  const port = await findFreePort();
  const dataDir = makeFolder();
  const start = () => spawnService({ port, dataDir, databaseUrl: killed.url, env: { ROLE: 'worker' } });
  const api = spawnService({
    ...{ port: await findFreePort(), dataDir: makeFolder(), databaseUrl: killed.url, env: { ROLE: 'api' } },
  });
  try {
    await api.ready();
    await commit(api);
    const done: number[] = [];
    for (let nth = 0; nth < KILLS; nth += 1) {
      const worker = start();
      await waitForMoment(nth, worker);
      worker.signal('SIGKILL');
      expect((await worker.exited).signal).toBe('SIGKILL');
      done.push(await countDone());
      // A minute goes by, after which the work is another's.
      await pool.query(
        'update due_work set lease_until_ms = real_now_ms() - 1 where lease_until_ms is not null',
      );
    }
    // They were killed on the way, not before or behind it.
    expect(new Set(done).size).toBeGreaterThan(4);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    const worker = start();
    await expect.poll(isCommitted, { timeout: 600_000 }).toBe(true);
    worker.signal('SIGTERM');
    await worker.exited;
  } finally {
    api.signal('SIGTERM');
    await api.exited;
  }
  await expectAsOnce();
}, 1_800_000);

async function expectAsOnce(): Promise<void> {
  const once = openPool({ poolConfig: { connectionString: url } });
  const service = spawnService({ port: await findFreePort(), dataDir: makeFolder(), databaseUrl: url });
  try {
    await service.ready();
    await commit(service);
    const isDone = async () =>
      (await once.query(`select from imports where status = 'committed'`)).rows.length > 0;
    await expect.poll(isDone, { timeout: 600_000 }).toBe(true);
    expect(await readStore(pool)).toEqual(await readStore(once));
    const limits = { maxConnections: 2, acquireTimeoutMs: 30_000, statementTimeoutMs: 120_000 };
    const opened = openDatabase({ ...killed.poolConfig, ...limits });
    expect(await findBroken(opened.db, []).finally(() => opened.close())).toEqual([]);
  } finally {
    service.signal('SIGTERM');
    await service.exited;
    await once.end();
  }
}
