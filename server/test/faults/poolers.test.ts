/** PgBouncer of a version that keeps nothing that is prepared, between the service and the store. */
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { findPooler } from '../../src/db/find-pooler.ts';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { readFacts } from '../../src/main/operators/doctor/facts.ts';
import { judge } from '../../src/main/operators/doctor/judge.ts';
import { buy, card, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { sizeOf, tellFigures } from '../support/full-size.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { openPooler, type Pooler, type PoolerOptions } from '../support/pooler.ts';
import { listPeriods, subscribe } from '../support/subscribing.ts';

/** Fewer sessions than the service has connections, so that hardly ever the same one comes back. */
const SESSIONS = 3;
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'options'];
const DETECTED = 'store_pooler_detected';
const BUYERS = 12;

const openBefore = (options: PoolerOptions) => openPooler(inject('testServer').adminUrl, options);

interface Pooled {
  app: TestApp;
  pooler: Pooler;
  /** What was logged as a warning, or worse. */
  lines: string[];
  close(): Promise<void>;
}

async function openPooled(options: PoolerOptions): Promise<Pooled> {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const pooler = await openBefore(options);
  const through = async (url: string) => pooler.through(url);
  const app = await createTestApp({}, log, { through, limits: {} });
  const close = async () => {
    await app.close();
    await pooler.close();
  };
  return { app, pooler, lines, close };
}

const readLimits = sql<{ statement: string; idle: string; lock: string; jit: string }>`
  select current_setting('statement_timeout') as statement,
    current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('lock_timeout') as lock, current_setting('jit') as jit`;
const OF_REQUESTS = { statement: '30s', idle: '15s', lock: '3s', jit: 'off' };

describe.each([
  ['that refuses what a connection asks for as it starts', []],
  ['that leaves out what a connection asks for as it starts', LIMITS],
])('a pooler %s', (_name, ignored) => {
  let pooled: Pooled;
  let app: TestApp;
  beforeAll(async () => {
    pooled = await openPooled({ size: SESSIONS, ignored });
    app = pooled.app;
  });
  afterAll(() => pooled?.close());

  it('O07 lets a crowd buy, two processes of them, and each warns once', async () => {
    const beside = await app.startBeside();
    const offersIds = [await makeOffer(app.test)];
    await app.test.post(`/v0/offers/${offersIds[0]}/keys/add`, {
      productKeys: Array.from({ length: 2 * BUYERS }, (_, index) => `KEY-${index}`),
    });
    const { publicKey, secretKey } = app.test.keys;
    const buyBeside = async (index: number) => {
      const response = await beside.inject({
        method: 'POST',
        url: '/v0/test-purchases/create',
        headers: { 'x-svc-public-key': publicKey, 'x-svc-secret-key': secretKey },
        payload: {
          offersIds,
          userEmail: `b${index}@example.com`,
          billingDetails: { countryCode: 'DE' },
        },
      });
      return response.statusCode;
    };
    const buyHere = async (index: number) =>
      (await buy(app.test, { offersIds, userEmail: `a${index}@example.com` })).status;
    const crowd = Array.from({ length: BUYERS }, (_, index) => [buyHere(index), buyBeside(index)]).flat();
    expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]));
    const { body } = await app.test.get(`/v0/offers/${offersIds[0]}`);
    expect(body.data.offer.keys).toEqual({ available: 0, reserved: 0, sold: 2 * BUYERS });
    expect(pooled.lines.filter((line) => line.includes(DETECTED))).toHaveLength(2);
  });

  it('O07 lets a page be paid, money go back, lists be read and subscriptions renew', async () => {
    const { test } = app;
    const page = await openPage(app, `/checkout/${await makeOffer(test)}`);
    expect((await page.submit({ card: card('4000000000000002') })).body.data.checkout.status).toBe('open');
    expect((await page.submit()).body.data.checkout.status).toBe('paid');
    const [order] = (await test.get('/v0/orders/list', { query: { take: '1' } })).body.data.orders;
    expect((await test.post(`/v0/orders/${order.id}/refunds`, { amount: 100 })).status).toBe(200);
    const subscription = await subscribe(app, await makePlanOffer(test));
    await advance(app, test.scope, 63 * DAY_MS);
    const periods = await listPeriods(app, subscription);
    expect(periods.map(({ status }) => status)).toEqual(['PAID', 'PAID']);
    for (const list of ['users', 'products', 'payments', 'events']) {
      expect((await test.get(`/v0/${list}/list`)).status).toBe(200);
    }
    await expectInvariants(app);
  });

  it('O07 has the limits of before in each transaction, and in each statement by itself', async () => {
    const { db } = app.service;
    const { rows: alone } = await readLimits.execute(db);
    const { rows: within } = await inTransaction(db, (tx) => readLimits.execute(tx));
    expect([alone, within]).toEqual([[OF_REQUESTS], [OF_REQUESTS]]);
    const { rows: after } = await app.service.pool.query<{ statement_timeout: string }>(
      'show statement_timeout',
    );
    // Nothing is left behind for the next who is given the session.
    expect(after).toEqual([{ statement_timeout: '0' }]);
  });

  it('O07 is a warning of `doctor`', async () => {
    const facts = await readFacts(app.service.db, app.service.config);
    expect(facts.pooler).toEqual({ keepsNames: false });
    const found = judge(facts, { publicUrl: 'https://pay.example.com' });
    expect(found.filter(({ check }) => check === 'pooler')).toMatchObject([{ status: 'warn' }]);
  });
});

describe('a pooler', () => {
  it('O07 that keeps sessions is one without a warning', async () => {
    const { app, lines, close } = await openPooled({ size: 20, mode: 'session' });
    const offersIds = [await makeOffer(app.test)];
    const crowd = Array.from({ length: BUYERS }, () => buy(app.test, { offersIds }));
    expect(new Set((await Promise.all(crowd)).map(({ status }) => status))).toEqual(new Set([200]));
    const found = await findPooler(app.service.db);
    await close();
    expect({ found, lines }).toEqual({ found: { keepsNames: true }, lines: [] });
  });

  it('O07 never has a statement run in place of another that bears its name', async () => {
    const pooler = await openBefore({ size: 1 });
    const database = await createTestDatabase();
    const limits = { maxConnections: 1, acquireTimeoutMs: 5_000, statementTimeoutMs: 10_000 };
    const url = pooler.through(database.url);
    const own = openDatabase({ connectionString: url, ...limits });
    const { rows } = await sql`select ${7}::int as seven`.execute(own.db);
    const session = new pg.Client({ connectionString: url });
    await session.connect();
    // All that the one session has prepared is of the text that its name was made of.
    const { rows: prepared } = await session.query<{ isOfText: boolean }>(
      `select name like '%' || left(encode(sha256(convert_to(statement, 'UTF8')), 'hex'), 32) as "isOfText"
       from pg_prepared_statements`,
    );
    await session.end();
    await own.close();
    await database.drop();
    await pooler.close();
    expect({ rows, prepared }).toEqual({ rows: [{ seven: 7 }], prepared: [{ isOfText: true }] });
  });

  it('O07 lets the schema be brought to its newest form, and nothing of a lock stays behind', async () => {
    const pooler = await openBefore({ size: SESSIONS });
    const database = await createEmptyDatabase();
    const url = pooler.through(database.url);
    const ran = await migrate({ connectionString: url });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      `select l.pid from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and d.datname = current_database()`,
    );
    await client.end();
    await pooler.close();
    await database.drop();
    expect({ ran, rows }).toEqual({ ran: (await readMigrations()).length, rows: [] });
  });
});

/** Products are made all the time, whatever becomes of the pooler; answers how to end it. */
function sell({ test }: TestApp) {
  const told = { acknowledged: [] as string[], refused: 0, odd: [] as unknown[] };
  let isOver = false;
  const loop = async (seller: number) => {
    for (let n = 0; !isOver; n += 1) {
      const name = `${seller} ${n}`;
      const { status, headers, text } = await test.post('/v0/products/create', { name, type: 'SoftwareKey' });
      if (status === 200) told.acknowledged.push(name);
      else if (status === 503 && Number(headers['retry-after']) > 0) told.refused += 1;
      else told.odd.push({ status, text });
    }
  };
  const loops = Promise.all(Array.from({ length: 8 }, (_, seller) => loop(seller)));
  const end = () => {
    isOver = true;
    return loops;
  };
  return { told, end };
}

describe('a pooler that is stopped and started under load', () => {
  it('O08 is 503 meanwhile and nothing else, and what was acknowledged is there', async () => {
    const { app, pooler, lines, close } = await openPooled({ size: SESSIONS });
    const { told, end } = sell(app);
    const more = async (count: () => number) => {
      const before = count();
      await expect.poll(count, { interval: 5 }).toBeGreaterThan(before + 8);
    };
    const acknowledged = () => told.acknowledged.length;
    const refused = () => told.refused;
    const times = sizeOf(5, 50);
    for (let time = 0; time < times; time += 1) {
      await more(acknowledged);
      await pooler.end();
      await more(refused);
      await pooler.begin();
    }
    await more(acknowledged);
    await end();
    const rows = await app.service.db.selectFrom('products').select('name').execute();
    const names = new Set(rows.map(({ name }) => name));
    const lost = told.acknowledged.filter((name) => !names.has(name));
    await expectInvariants(app);
    await close();
    tellFigures('O08', { times, acknowledged: told.acknowledged.length, refused: told.refused });
    expect({ odd: told.odd, lost }).toEqual({ odd: [], lost: [] });
    expect(lines.filter((line) => line.includes(DETECTED))).toHaveLength(1);
  });
});
