/** The way to the store dies without a word: nothing is refused, nothing is reset, nothing comes. */
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStoreFailure } from '../../src/db/store-failure.ts';
import { buy } from '../support/buying.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { stallNextCharge } from '../support/faulty-processor.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { openSwallowingProxy, type SwallowingProxy } from '../support/swallowing-proxy.ts';

/** Long enough for a busy machine to open eight connections at once. */
const LIMITS = { acquireTimeoutMs: 3_000, statementTimeoutMs: 1_500, silenceLimitMs: 2_000 };

let app: TestApp;
let proxy: SwallowingProxy;
const lines: string[] = [];
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  app = await createTestApp({}, log, {
    limits: LIMITS,
    through: async (url) => {
      proxy = await openSwallowingProxy(url);
      return proxy.url;
    },
  });
});
afterAll(async () => {
  await app?.close();
  await proxy?.close();
});

/** Looks again until it is so: what is waited for has a limit of its own in the service. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}

const list = () => app.test.get('/v0/products/list');

describe('connections to the store that die without a word', () => {
  it('are let go: what waits on them is 503, and the pool makes new ones', async () => {
    const { pool } = app.service;
    await Promise.all(Array.from({ length: 8 }, list));
    const before = pool.totalCount;
    expect(before).toBeGreaterThan(1);
    proxy.swallow();
    const asked = Array.from({ length: before }, () => expectRefusal(list(), 503, 'unavailable'));
    const write = app.test.post('/v0/products/create', { name: 'A', type: 'Game' });
    await Promise.all([...asked, expectRefusal(write, 503, 'unavailable')]);
    expect((await app.app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
    expect((await app.app.inject({ method: 'GET', url: '/readyz' })).statusCode).toBe(503);
    proxy.heal();
    await until(async () => (await list()).status === 200);
    await Promise.all(Array.from({ length: 8 }, async () => expect((await list()).status).toBe(200)));
  });

  it('that lie idle go with the first that is found: one request pays, not one for each', async () => {
    await until(async () =>
      (await Promise.all(Array.from({ length: 8 }, list))).every(({ status }) => status === 200),
    );
    expect(app.service.pool.idleCount).toBeGreaterThan(2);
    proxy.swallow();
    proxy.heal();
    await expectRefusal(list(), 503, 'unavailable');
    const answers = await Promise.all(Array.from({ length: 8 }, list));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  });

  it('in the midst of a transaction leave nothing of it', async () => {
    const name = 'Half of it';
    const writing = app.service.db.transaction().execute(async (tx) => {
      await tx.updateTable('workspaces').set({ name }).execute();
      proxy.swallow();
      await tx.updateTable('workspaces').set({ name }).execute();
    });
    expect(readStoreFailure(await writing.catch((error: unknown) => error))).toBe('unavailable');
    proxy.heal();
    await until(async () => (await list()).status === 200);
    const { rows } = await app.service.pool.query('select 1 from workspaces where name = $1', [name]);
    expect(rows).toEqual([]);
  });

  it('T05 under a purchase give its key back once the way is: the next replay goes on from its order', async () => {
    await until(async () => (await list()).status === 200);
    const offersIds = [await makeOffer(app.test)];
    const key = randomUUID();
    const ask = () => buy(app.test, { offersIds }, { 'idempotency-key': key });
    const charge = stallNextCharge(app);
    const cut = ask();
    await charge.begun;
    proxy.swallow();
    charge.release();
    await expectRefusal(cut, 503, 'unavailable');
    proxy.heal();
    // Nobody asks again meanwhile, and the lease of the request that is gone has most of its minute left.
    await until(async () => {
      const text = 'select lease_until::int8 as until from idempotency_keys where key = $1';
      const found = await app.service.pool.query(text, [key]).catch(() => null);
      return Number(found?.rows[0]?.until ?? -1) === 0;
    });
    const { status, body } = await ask();
    expect([status, body.data?.payment.status, body.data?.payment.charges.length]).toEqual([200, 'PAID', 1]);
    const orders = await app.test.get('/v0/orders/list', { query: { returnCount: 'true' } });
    expect(orders.body.data.count).toBe(1);
  });

  it('stop no loop of a worker: it goes on claiming and keeping up once the way is back', async () => {
    const told = (text: string) => lines.filter((line) => line.includes(text)).length;
    app.wired.worker.start();
    proxy.swallow();
    await until(() => told('due work could not be claimed') >= 4 && told('statistics') >= 1);
    proxy.heal();
    const { workspaceId, testMode } = app.test.scope;
    // Of an order that is not there: the look at it finds nothing to do and ends.
    const insertion = `insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms)
      values ($1, $2, 'watch_order', gen_random_uuid(), 0, 0)`;
    await until(() =>
      app.service.pool.query(insertion, [workspaceId, testMode]).then(
        () => true,
        () => false,
      ),
    );
    await until(async () => {
      const left = await app.service.pool.query('select 1 from due_work').catch(() => null);
      return left?.rows.length === 0;
    });
    await app.wired.worker.stop();
  });
});
