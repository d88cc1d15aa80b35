import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import { scopeColumns } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import type { JobKind } from '../domain/due-work.ts';
import { listCheckoutCounts } from '../resources/checkouts/checkout-figures.queries.ts';
import { insertDueWork } from '../resources/due-work/due-work.queries.ts';
import { sweepIdempotencyKeys, sweepRetiredWork, sweepSessions } from './sweeps.ts';
import { createStandIn, keepStatistics } from './upkeep.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterAll(() => app.close());
afterEach(async () => {
  await app.service.db.deleteFrom('idempotencyKeys').execute();
});

const sweep = () => sweepIdempotencyKeys(app.service.db, new AbortController().signal);

async function listKeys(): Promise<string[]> {
  const rows = await app.service.db.selectFrom('idempotencyKeys').select('key').orderBy('key').execute();
  return rows.map(({ key }) => key);
}

interface Kept {
  ageMs: number;
  leaseUntil?: number;
  store?: TestStore;
}

async function keep(key: string, { ageMs, leaseUntil = 0, store = app.test }: Kept): Promise<void> {
  const row = { asker: 'keys', key, fingerprint: '', leaseUntil, createdAt: Date.now() - ageMs };
  await app.service.db
    .insertInto('idempotencyKeys')
    .values({ ...scopeColumns(store.scope), ...row })
    .execute();
}

async function keepMany(count: number, ageMs: number): Promise<void> {
  const row = { asker: 'keys', fingerprint: '', leaseUntil: 0, createdAt: Date.now() - ageMs };
  const keys = Array.from({ length: count }, () => ({ ...scopeColumns(app.test.scope), key: randomUUID() }));
  await app.service.db
    .insertInto('idempotencyKeys')
    .values(keys.map((key) => ({ ...key, ...row })))
    .execute();
}

describe('the sweep of idempotency keys', () => {
  it('deletes those of all stores whose 24 hours are over, and no other', async () => {
    for (const [name, store] of Object.entries({ test: app.test, live: app.live, other: app.other })) {
      await keep(`${name} old`, { ageMs: DAY_MS + 1, store });
      await keep(`${name} young`, { ageMs: DAY_MS - MINUTE_MS, store });
    }
    expect(await sweep()).toBe(3);
    expect(await listKeys()).toEqual(['live young', 'other young', 'test young']);
  });

  it('leaves a key under which a request is still at work, whatever its age', async () => {
    await keep('at work', { ageMs: 2 * DAY_MS, leaseUntil: Date.now() + MINUTE_MS });
    await keep('died', { ageMs: 2 * DAY_MS, leaseUntil: Date.now() - 1 });
    expect(await sweep()).toBe(1);
    expect(await listKeys()).toEqual(['at work']);
  });

  it('takes nothing from a purchase that a replay may still go on with', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await buy(app.test, { offersIds: [offerId] }, headers);
    // As if its request had died almost a day ago, before its last transaction.
    await app.service.db
      .updateTable('idempotencyKeys')
      .set({ response: null, leaseUntil: 0, createdAt: Date.now() - DAY_MS + MINUTE_MS })
      .execute();
    expect(await sweep()).toBe(0);
    const again = await buy(app.test, { offersIds: [offerId] }, headers);
    expect(again.body.data.order.id).toBe(first.body.data.order.id);
  });

  it('deletes each key once when several are at it, in as many batches as it takes', async () => {
    await keepMany(2_500, DAY_MS + MINUTE_MS);
    await keepMany(100, DAY_MS - MINUTE_MS);
    const counts = await Promise.all([sweep(), sweep(), sweep()]);
    // Each leaves to the others what they have in hand, and may end before they do.
    const rest = await sweep();
    expect(counts.reduce((sum, count) => sum + count, rest)).toBe(2_500);
    expect(await listKeys()).toHaveLength(100);
  });

  it('waits for nobody who holds a key, and deletes none that was taken over meanwhile', async () => {
    await keep('taken over', { ageMs: DAY_MS + MINUTE_MS });
    await keep('old', { ageMs: DAY_MS + MINUTE_MS });
    const request = await app.service.pool.connect();
    await request.query('begin');
    await request.query("update idempotency_keys set created_at = real_now_ms() where key = 'taken over'");
    expect(await sweep()).toBe(1);
    await request.query('commit');
    request.release();
    expect(await sweep()).toBe(0);
    expect(await listKeys()).toEqual(['taken over']);
  });

  it('is done by a worker that starts', async () => {
    await keep('old', { ageMs: DAY_MS + MINUTE_MS });
    app.wired.worker.start();
    await expect.poll(listKeys, { timeout: 180_000 }).toEqual([]);
    await app.wired.worker.stop();
  });
});

describe('a key whose 24 hours end while its request is at work', () => {
  it('is not begun again until the request has ended', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    await buy(app.test, { offersIds: [offerId] }, headers);
    const age = (leaseUntil: number) =>
      app.service.db
        .updateTable('idempotencyKeys')
        .set({ response: null, leaseUntil, createdAt: Date.now() - DAY_MS - 1 })
        .execute();
    await age(Date.now() + MINUTE_MS);
    await expectRefusal(buy(app.test, { offersIds: [offerId] }, headers), 409, 'request_in_progress');
    await age(0);
    expect((await buy(app.test, { offersIds: [offerId] }, headers)).status).toBe(200);
  });
});

describe('the sweep of sessions', () => {
  const { signal } = new AbortController();

  /** A session of a day that was written so long ago; its own times may be of a moved clock. */
  async function keepSession(
    id: string,
    ageMs: number,
    { orderId = null, shiftMs = 0 }: { orderId?: string | null; shiftMs?: number } = {},
  ): Promise<void> {
    const createdAt = Date.now() - ageMs + shiftMs;
    await app.service.db
      .insertInto('checkoutSessions')
      .values({
        ...scopeColumns(app.test.scope),
        id,
        token: id,
        elementId: null,
        offerIds: [offerId],
        orderId,
        lastError: null,
        ipAddress: null,
        language: null,
        createdAt,
        expiresAt: createdAt + DAY_MS,
        writtenRealMs: Date.now() - ageMs,
      })
      .execute();
  }

  it('Y16 deletes those without an order 7 days of real time after their end, whatever the clock says', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId] });
    const ids = Array.from({ length: 5 }, () => randomUUID());
    const [old = '', young = '', sold = '', moved = '', ahead = ''] = ids;
    await keepSession(old, 8 * DAY_MS + MINUTE_MS);
    await keepSession(young, 8 * DAY_MS - MINUTE_MS);
    await keepSession(sold, 8 * DAY_MS + MINUTE_MS, { orderId: body.data.order.id });
    await keepSession(moved, 8 * DAY_MS + MINUTE_MS, { shiftMs: 365 * DAY_MS });
    await keepSession(ahead, MINUTE_MS, { shiftMs: -30 * DAY_MS });
    expect(await sweepSessions(app.service.db, signal)).toBe(2);
    const rows = await app.service.db
      .selectFrom('checkoutSessions')
      .select('id')
      .where('id', 'in', ids)
      .execute();
    expect(rows.map(({ id }) => id).sort()).toEqual([young, sold, ahead].sort());
  });

  it('O32 deletes those with an order after 400 days; its language and what the days count stay', async () => {
    const { db } = app.service;
    const { scope } = app.test;
    const { body } = await buy(app.test, { offersIds: [offerId] });
    const { id: orderId, currency, value } = body.data.order;
    const { id } = await db
      .selectFrom('checkoutSessions')
      .select('id')
      .where('orderId', '=', orderId)
      .executeTakeFirstOrThrow();
    const viewedAt = Date.now() - 401 * DAY_MS;
    const age = (ms: number) =>
      db
        .updateTable('checkoutSessions')
        .set({ language: 'de', viewedAt, createdAt: viewedAt, writtenRealMs: Date.now() - ms })
        .where('id', '=', id)
        .execute();
    const day = Math.floor(viewedAt / DAY_MS);
    const counts = () =>
      listCheckoutCounts(db, scope, { fromDay: day, toDay: day + 1, elementIds: [], offerIds: [] });
    const conversion = () => {
      const from = viewedAt - DAY_MS;
      const query = { metric: 'checkoutConversion', currency, from: `${from}`, to: `${from + 3 * DAY_MS}` };
      return app.test.get('/v0/reports/rows', { query });
    };
    await age(400 * DAY_MS - MINUTE_MS);
    expect(await sweepSessions(db, signal)).toBe(0);
    const before = [await counts(), (await conversion()).body.data];
    expect(before[0]).toMatchObject([{ viewed: 1, started: 1, submitted: 1, paid: 1, value: BigInt(value) }]);
    await age(400 * DAY_MS);
    expect(await sweepSessions(db, signal)).toBe(1);
    expect([await counts(), (await conversion()).body.data]).toEqual(before);
    expect((await conversion()).body.data.rows).toMatchObject([{ object: 'order', id: orderId }]);
    // What is told of it later is told in its buyer's language, as ever.
    await app.test.post(`/v0/orders/${orderId}/refunds`, { amount: 1 });
    const mail = await db
      .selectFrom('mails')
      .select('language')
      .where('orderId', '=', orderId)
      .where('kind', '=', 'refund')
      .executeTakeFirstOrThrow();
    expect(mail.language).toBe('de');
  });
});

describe('due work of other versions', () => {
  const { signal } = new AbortController();
  const put = (kind: string) =>
    inTransaction(app.service.db, (tx) =>
      insertDueWork(tx, app.test.scope, [{ kind: kind as JobKind, refId: randomUUID(), dueMs: 1 }]),
    );
  const listKinds = async () => {
    const rows = await app.service.db.selectFrom('dueWork').selectAll().execute();
    return rows.map(({ kind, fence, failures }) => [kind, fence, failures]);
  };

  it('O41 of a kind that is not known is left alone, by workers, by an advance and by the sweep', async () => {
    await put('of_tomorrow');
    await app.wired.worker.runDue();
    await app.test.post('/v0/test-clock/advance', { by: { hours: 1 } });
    expect(await sweepRetiredWork(app.service.db, signal)).toBe(0);
    expect(await listKinds()).toContainEqual(['of_tomorrow', 0, 0]);
  });

  it('of a retired kind is deleted', async () => {
    await put('of_yesterday');
    expect(await sweepRetiredWork(app.service.db, signal, ['of_yesterday'])).toBe(1);
    expect((await listKinds()).map(([kind]) => kind)).not.toContain('of_yesterday');
  });
});

describe('statistics where no worker runs', () => {
  const grow = async (table: string) => {
    const { db } = app.service;
    await sql`create table ${sql.table(table)} as select n, repeat('x', 100) as text from generate_series(1, 5000) n`.execute(
      db,
    );
  };
  const settle = () => keepStatistics(app.service.db, { isWorker: true });

  it('are kept by another process once no worker has for a minute', async () => {
    const { db } = app.service;
    await settle();
    await sql`update upkeep set worker_at_ms = real_now_ms() - 61000`.execute(db);
    await grow('grown_alone');
    const standIn = createStandIn();
    expect(await standIn(db)).toEqual([]);
    expect(await standIn(db)).toContain('grown_alone');
    expect(await standIn(db)).toEqual([]);
  });

  it('are left to a worker that has been at it within the minute, and to whoever is at it now', async () => {
    const { db } = app.service;
    await grow('grown_before');
    expect(await settle()).toContain('grown_before');
    await grow('grown_again');
    expect(await keepStatistics(db, { isWorker: false })).toEqual([]);
    await sql`update upkeep set lease_until_ms = real_now_ms() + 50000`.execute(db);
    expect(await settle()).toEqual([]);
    await sql`update upkeep set lease_until_ms = 0`.execute(db);
    expect(await settle()).toContain('grown_again');
  });
});
