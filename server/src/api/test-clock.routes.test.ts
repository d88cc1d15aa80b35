import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { DAY_MS } from '../../test/support/clock.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import { inScope, scopeColumns } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import { assert } from '../domain/assert.ts';
import {
  holdClock,
  moveClock,
  releaseClock,
  renewClock,
} from '../resources/test-clock/test-clock.queries.ts';

const ADVANCE = '/v0/test-clock/advance';
let app: TestApp;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-clock-'));
  app = await createTestApp({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

const readClock = async (store = app.test) => (await store.get('/v0/test-clock')).body.data.testClock;

describe('GET /v0/test-clock', () => {
  it('200 is real time until it is moved', async () => {
    const before = Date.now();
    const clock = await readClock();
    expect(clock).toMatchObject({ object: 'test_clock', offsetMs: 0, advancingTo: null });
    expect(clock.now).toBeGreaterThanOrEqual(before);
  });

  it('400 in live mode', async () => {
    const answer = await app.live.get('/v0/test-clock');
    expect([answer.status, answer.body.error.code]).toEqual([400, 'test_mode_only']);
  });
});

describe('POST /v0/test-clock/advance', () => {
  it('200 moves by calendar steps and to a moment, and stamps what is made by it', async () => {
    const start = (await readClock()).now;
    const { body } = await app.test.post(ADVANCE, { by: { years: 1, days: 2 } });
    expect(body.data.testClock.now).toBeGreaterThanOrEqual(start + 366 * DAY_MS);
    const to = start + 500 * DAY_MS;
    expect((await app.test.post(ADVANCE, { to })).body.data.testClock.now).toBeGreaterThanOrEqual(to);
    const offerId = await makeOffer(app.test);
    const bought = await buy(app.test, { offersIds: [offerId] });
    expect(bought.body.data.order.createdAt).toBeGreaterThanOrEqual(to);
  });

  it('leaves other stores alone', async () => {
    await app.test.post(ADVANCE, { by: { days: 1 } });
    expect((await readClock(app.other)).offsetMs).toBe(0);
  });

  it.each([
    [{}, 'to'],
    [{ by: {} }, 'by'],
    [{ to: 1, by: { days: 1 } }, 'to'],
    [{ by: { days: -1 } }, 'by'],
    [{ by: { fortnights: 1 } }, 'fortnights'],
    [{ by: { years: 5, minutes: 1 } }, '5 years'],
    [{ to: 1_000_000_000_000 }, 'past'],
    [{ to: 253_402_300_799_999 }, '5 years'],
  ])('400 for %j', async (body, word) => {
    const answer = await app.test.post(ADVANCE, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
    expect(answer.body.error.message).toContain(word);
  });

  it('400 in live mode', async () => {
    const answer = await app.live.post(ADVANCE, { by: { days: 1 } });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'test_mode_only']);
  });

  it('409 for every write while an advance is under way, which the clock shows', async () => {
    const { scope } = app.test;
    const toMs = Date.now() + 3000 * DAY_MS;
    expect(await holdClock(app.service.db, scope, toMs)).not.toBeNull();
    expect((await readClock()).advancingTo).toBe(toMs);
    const product = { name: 'A game', type: 'Game' };
    for (const [path, body] of [
      [ADVANCE, { by: { days: 1 } }],
      ['/v0/products/create', product],
    ] as const) {
      const answer = await app.test.post(path, body);
      expect([answer.status, answer.body.error?.code]).toEqual([409, 'clock_advancing']);
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect((await app.other.post('/v0/products/create', product)).status).toBe(200);
    expect(await holdClock(app.service.db, scope, toMs)).toBeNull();
  });

  it('goes on after one whose process died, once its lease is over', async () => {
    const { scope } = app.test;
    await app.service.db
      .updateTable('stores')
      .set({ clockAdvancingTo: 1, clockLeaseUntilMs: sql<number>`real_now_ms() - 1` })
      .where(inScope(scope))
      .execute();
    await app.service.clock.releaseAbandoned();
    expect((await readClock()).advancingTo).toBeNull();
    expect((await app.test.post(ADVANCE, { by: { hours: 1 } })).status).toBe(200);
  });
});

describe('the hold of a test clock', () => {
  it('moves and lets go for its owner alone: whoever was overtaken changes nothing', async () => {
    const { db } = app.service;
    const { scope } = app.other;
    const read = () => readClock(app.other);
    const before = await read();
    const first = await holdClock(db, scope, before.now + DAY_MS);
    await db
      .updateTable('stores')
      .set({ clockLeaseUntilMs: sql<number>`real_now_ms() - 1` })
      .where(inScope(scope))
      .execute();
    const second = await holdClock(db, scope, before.now + DAY_MS);
    assert(first && second, 'both have held it in turn');
    expect(await moveClock(db, first, before.now + DAY_MS)).toBe(false);
    expect(await renewClock(db, first)).toBe(false);
    await inTransaction(db, (tx) => releaseClock(tx, first));
    expect(await read()).toMatchObject({ offsetMs: before.offsetMs, advancingTo: before.now + DAY_MS });
    expect(await renewClock(db, second)).toBe(true);
    expect(await moveClock(db, second, before.now + DAY_MS)).toBe(true);
    await inTransaction(db, (tx) => releaseClock(tx, second));
    expect((await read()).advancingTo).toBeNull();
  });

  it('ends an advance that another has taken over, and leaves the other its clock', async () => {
    const { db } = app.service;
    const { scope } = app.test;
    // Work that a worker has in hand holds the advance up, for as long as the test likes.
    const held = { kind: 'watch_order' as const, refId: randomUUID(), dueMs: 0, dueRealMs: 0 };
    await db
      .insertInto('dueWork')
      .values({ ...scopeColumns(scope), ...held, leaseUntilMs: sql<number>`real_now_ms() + 50000` })
      .execute();
    const advancing = app.test.post(ADVANCE, { by: { days: 1 } });
    while ((await readClock()).advancingTo === null);
    await db
      .updateTable('stores')
      .set({ clockFence: sql<number>`clock_fence + 1`, clockAdvancingTo: 77 })
      .where(inScope(scope))
      .execute();
    await db.deleteFrom('dueWork').where(inScope(scope)).where('refId', '=', held.refId).execute();
    const answer = await advancing;
    expect([answer.status, answer.body.error.code]).toEqual([409, 'clock_advancing']);
    expect((await readClock()).advancingTo).toBe(77);
    await db.updateTable('stores').set({ clockAdvancingTo: null }).where(inScope(scope)).execute();
  });
});

describe('POST /v0/test-clock/reset', () => {
  it('400 without confirmation', async () => {
    for (const body of [{}, { confirm: false }]) {
      expect((await app.test.post('/v0/test-clock/reset', body)).status).toBe(400);
    }
  });

  it('200 empties the test store alone, and sets its clock to real time', async () => {
    const offerId = await makeOffer(app.test);
    const kept = await makeOffer(app.other);
    await buy(app.test, { offersIds: [offerId] });
    await buy(app.other, { offersIds: [kept] });
    const { body } = await app.test.post('/v0/test-clock/reset', { confirm: true });
    expect(body.data.testClock.offsetMs).toBe(0);
    for (const list of ['products', 'offers', 'orders', 'payments', 'events', 'users', 'mails']) {
      const answer = await app.test.get(`/v0/${list}/list?returnCount=true`, { keys: 'secret' });
      expect(answer.body.data[list]).toEqual([]);
    }
    expect((await app.other.get(`/v0/orders/list`)).body.data.orders).toHaveLength(1);
  });

  it('takes the store’s files and PDFs from disk, and those of no other store', async () => {
    const fill = async (store: TestStore) => {
      const headers = { 'content-type': 'application/zip', 'x-file-name': 'game.zip' };
      expect((await store.post('/v0/files/upload', 'PK bytes', { headers })).status).toBe(200);
    };
    const sell = async (store: TestStore) => {
      const { body } = await buy(store, { offersIds: [await makeOffer(store)] });
      const { invoiceUrl } = body.data.payment;
      await app.app.inject({ method: 'GET', url: new URL(invoiceUrl).pathname });
    };
    for (const store of [app.test, app.other]) {
      await fill(store);
      await sell(store);
    }
    await fill(app.live);
    const { workspaceId } = app.test.scope;
    const count = async (place: string) => (await readdir(path.join(dataDir, place))).length;
    expect(await count(`invoices/${workspaceId}/test`)).toBe(1);
    expect(await count(`files/${workspaceId}/test`)).toBe(1);

    expect((await app.test.post('/v0/test-clock/reset', { confirm: true })).status).toBe(200);
    expect(await count(`invoices/${workspaceId}/test`)).toBe(0);
    expect(await count(`files/${workspaceId}/test`)).toBe(0);
    expect(await count(`files/${workspaceId}/live`)).toBe(1);
    expect(await count(`files/${app.other.scope.workspaceId}/test`)).toBe(1);
    expect(await count(`invoices/${app.other.scope.workspaceId}/test`)).toBe(1);
  });

  it('leaves nothing in any table but what a store is', async () => {
    const { rows } = await sql<{ table: string }>`
      select c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'test_mode'
      where c.relkind = 'r' and not a.attisdropped`.execute(app.service.db);
    const full: string[] = [];
    for (const { table } of rows) {
      const found =
        await sql`select 1 from ${sql.table(table)} where workspace_id = ${app.test.scope.workspaceId}
        and test_mode limit 1`.execute(app.service.db);
      if (found.rows.length > 0) full.push(table);
    }
    // The sandbox comes with the store.
    expect(full.sort()).toEqual(['api_keys', 'audit_log', 'processors', 'stores']);
  });
});
