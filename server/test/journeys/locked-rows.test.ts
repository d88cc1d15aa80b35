/** Rows that another transaction holds for too long, and connections that all are taken. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type Answer, createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

const BUYERS = 30;
/** Of a pool of 20: 4 are kept for reading, and of the others one store may hold three quarters. */
const SHARE = 12;

let app: TestApp;
beforeAll(async () => {
  // Long enough that on a busy machine all who may wait do so at once.
  const limits = { acquireTimeoutMs: 2_500, lockTimeoutMs: 5_000, workLockTimeoutMs: 5_000 };
  app = await createTestApp({}, undefined, { limits });
  await openConnections();
});
afterAll(() => app.close());

/** All that there may be: to make one is part of the time to wait for one, and takes a busy machine longer than that. */
async function openConnections(): Promise<void> {
  const { pool, config } = app.service;
  const opened = await Promise.allSettled(
    Array.from({ length: config.databaseConnectionsMax }, () => pool.connect()),
  );
  for (const client of opened) if (client.status === 'fulfilled') client.value.release();
}

/** Runs `work` while another session holds the rows that `statement` locks. */
async function whileLocked(
  statement: string,
  values: unknown[],
  work: (other: pg.Client) => Promise<void>,
): Promise<void> {
  const { rows } = await app.service.pool.query<{ name: string }>('select current_database() as name');
  const { host, port, user, connectionString } = app.service.pool.options;
  const url = connectionString && new URL(connectionString);
  if (url) url.pathname = `/${rows[0]?.name}`;
  const other = new pg.Client(url ? { connectionString: url.href } : { host, port, user });
  await other.connect();
  try {
    await other.query('begin');
    expect((await other.query(statement, values)).rows.length).toBeGreaterThan(0);
    await work(other);
  } finally {
    await other.end();
  }
}

/** Sessions of the service that wait for a row. Within a transaction the list of sessions stays as it was first read. */
async function countWaiting(other: pg.Client): Promise<number> {
  await other.query('select pg_stat_clear_snapshot()');
  const { rows } = await other.query<{ count: number }>(
    `select count(*)::int as count from pg_locks where not granted and pid in (
      select pid from pg_stat_activity where datname = current_database())`,
  );
  return rows[0]?.count ?? 0;
}

/** Begins again where a busy machine has told all of them store_busy before so many were there at once. */
async function untilWaiting<T extends Answer>(
  other: pg.Client,
  count: number,
  begin: () => Array<Promise<T>>,
): Promise<Array<Promise<T>>> {
  let most = 0;
  const answered = new Map<string, number>();
  for (let begun = 0; begun < 10; begun += 1) {
    const work = begin();
    let isOver = false;
    void Promise.allSettled(work).then(() => {
      isOver = true;
    });
    while (!isOver) {
      const waiting = await countWaiting(other);
      if (waiting >= count) return work;
      most = Math.max(most, waiting);
    }
    for (const { status, body } of await Promise.all(work)) {
      const answer = `${status} ${body.error?.code ?? ''}`;
      answered.set(answer, (answered.get(answer) ?? 0) + 1);
    }
  }
  const told = JSON.stringify(Object.fromEntries(answered));
  const { totalCount, idleCount, waitingCount } = app.service.pool;
  throw new Error(
    `there were never ${count} who waited, at most ${most}; they were answered ${told}; of ${totalCount} connections ` +
      `${idleCount} are idle, and ${waitingCount} wait for one`,
  );
}

const countOrders = async () => {
  const { body } = await app.test.get('/v0/orders/list?returnCount=true');
  return body.data.count as number;
};

describe('a row that is locked for too long', () => {
  it('T48 tells thirty buyers behind it store_busy with nothing done, and other stores read and sell meanwhile', async () => {
    const offerId = await makeOffer(app.test, { limit: 100 });
    const elsewhere = await makeOffer(app.other);
    const before = await countOrders();
    await whileLocked('select 1 from offers where id = $1 for update', [offerId], async (other) => {
      const buying = await untilWaiting(other, SHARE, () =>
        Array.from({ length: BUYERS }, (_, n) =>
          buy(app.test, { offersIds: [offerId], userEmail: `buyer${n}@example.com` }),
        ),
      );
      const [list, sale, own] = await Promise.all([
        app.other.get('/v0/products/list'),
        buy(app.other, { offersIds: [elsewhere] }),
        app.test.get('/v0/offers/list'),
      ]);
      expect([list.status, own.status, sale.status, sale.body.data.payment.status]).toEqual([
        200,
        200,
        200,
        'PAID',
      ]);
      expect(await countWaiting(other)).toBeLessThanOrEqual(SHARE);
      for (const answer of await Promise.all(buying)) {
        expect([answer.status, answer.body.error?.code]).toEqual([503, 'store_busy']);
        expect(answer.headers['retry-after']).toBe('1');
      }
    });
    expect(await countOrders()).toBe(before);
    const { body } = await buy(app.test, { offersIds: [offerId] });
    expect(body.data.payment.status).toBe('PAID');
    await expectInvariants(app);
  });

  it('T48 answers 200 with the payment PENDING where money was taken already, and settles it once', async () => {
    const offerId = await makeOffer(app.test);
    await buy(app.test, { offersIds: [offerId] });
    const { workspaceId } = app.test.scope;
    let orderId = '';
    await whileLocked(
      'select 1 from invoice_series where workspace_id = $1 and test_mode for update',
      [workspaceId],
      async (other) => {
        const { status, body } = await buy(app.test, { offersIds: [offerId], userEmail: 'bob@example.com' });
        expect([status, body.data.payment.status, body.data.order.status]).toEqual([
          200,
          'PENDING',
          'PENDING',
        ]);
        orderId = body.data.order.id;
        const { rows } = await other.query(
          `select due_real_ms <= real_now_ms() as is_due from due_work where kind = 'watch_order' and ref_id = $1`,
          [orderId],
        );
        expect(rows).toEqual([{ is_due: true }]);
      },
    );
    await app.wired.worker.runDue();
    const { body } = await app.test.get(`/v0/orders/${orderId}`);
    expect(body.data.order.status).toBe('PAID');
    const { rows } = await app.service.pool.query(
      `select count(*)::int as count from sandbox_charges s join charges c on c.id = s.id
        join payments p on p.id = c.payment_id where p.order_id = $1`,
      [orderId],
    );
    expect(rows).toEqual([{ count: 1 }]);
    await expectInvariants(app);
  });

  it('T48 answers a refund as pending that the processor has made already, and settles it once', async () => {
    const { body: bought } = await buy(app.test, { offersIds: [await makeOffer(app.test)] });
    const path = `/v0/orders/${bought.data.order.id}/refunds`;
    // The first one makes the series of credit notes, which is locked then.
    await app.test.post(path, { amount: 1 });
    let refundId = '';
    await whileLocked(
      'select 1 from invoice_series where workspace_id = $1 and test_mode for update',
      [app.test.scope.workspaceId],
      async () => {
        const { status, body } = await app.test.post(path, {});
        expect([status, body.data.refund.status]).toEqual([200, 'pending']);
        refundId = body.data.refund.id;
      },
    );
    await app.wired.worker.runDue();
    const { body } = await app.test.get(`/v0/orders/${bought.data.order.id}`);
    expect(body.data.refunds).toContainEqual(expect.objectContaining({ id: refundId, status: 'succeeded' }));
    await expectInvariants(app);
  });
});

describe('connections that are all taken', () => {
  it('T46 is 503 once the time to wait for one is over, while the process says that it is well', async () => {
    const { pool, config } = app.service;
    const held = await Promise.all(
      Array.from({ length: config.databaseConnectionsMax }, () => pool.connect()),
    );
    try {
      await Promise.all([
        expectRefusal(app.test.get('/v0/payments/list'), 503, 'unavailable'),
        expectRefusal(app.test.post('/v0/products/create', { name: 'A', type: 'Game' }), 503, 'unavailable'),
      ]);
      expect((await app.app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
    } finally {
      for (const client of held) client.release();
    }
    expect((await app.test.get('/v0/payments/list')).status).toBe(200);
  });
});

describe('an offer that gets its first keys while it is being bought', () => {
  it('keeps them for those who are sold a key', async () => {
    const offerId = await makeOffer(app.test, { limit: 100 });
    const userEmail = 'early@example.com';
    await buy(app.test, { offersIds: [offerId], userEmail });
    const buyer = 'select 1 from users where email = $1 for update';
    let buying: ReturnType<typeof buy> | undefined;
    await whileLocked(buyer, [userEmail], async (other) => {
      [buying] = await untilWaiting(other, 1, () => [buy(app.test, { offersIds: [offerId], userEmail })]);
      const { body } = await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: ['FIRST'] });
      expect(body.data.added).toBe(1);
    });
    expect((await buying)?.body.data.payment.status).toBe('PAID');
    const { body } = await app.test.get(`/v0/offers/${offerId}/keys/list`);
    expect(body.data.keys).toMatchObject([{ status: 'available' }]);
    await expectInvariants(app);
  });
});
