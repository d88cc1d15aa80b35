import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exportedLists } from '../../src/api/routes.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { requestRefund } from '../../src/flows/refunds/refund-payment.ts';
import { createJobs } from '../../src/main/jobs.ts';
import { getClock } from '../../src/resources/workspaces/workspaces.queries.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { buy, listTold } from '../support/buying.ts';
import { advance, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { withRefunds } from '../support/faulty-processor.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

const refund = (orderId: string, body = {}, headers = {}) =>
  app.test.post(`/v0/orders/${orderId}/refunds`, body, { headers });
const orderOf = async (id: string) => (await app.test.get(`/v0/orders/${id}`)).body.data;
const countRefunded = async (id: string) =>
  (await listTold(app, id)).filter(({ type }) => type === 'payment_refunded').length;

async function sell() {
  const { body } = await buy(app.test, { offersIds: [offerId] });
  return { id: String(body.data.order.id), paymentId: String(body.data.payment.id) };
}

const lost = (): never => {
  throw new Error('connection reset');
};

describe('a refund whose answer is lost', () => {
  const faults: Array<[string, Parameters<typeof withRefunds>[1]]> = [
    ['before the processor had it', async () => lost()],
    [
      'after the processor had done it',
      async (request, call) => {
        await call(request);
        return lost();
      },
    ],
  ];
  it.each(faults)('%s stays pending, is counted, and ends once under its own key', async (_name, fault) => {
    const { id } = await sell();
    const requests = await withRefunds(app, fault, async () => {
      const { status, body } = await refund(id);
      expect(status).toBe(200);
      expect(body.data.refund).toMatchObject({ status: 'pending', creditNoteNumber: null });
      expect(body.data.order).toMatchObject({ status: 'PAID', refundedValue: 0 });
      await expectRefusal(refund(id), 409, 'already_refunded');
      await advance(app, app.test.scope, 2 * MINUTE_MS);
    });
    expect(requests.length).toBeGreaterThanOrEqual(2);
    expect(new Set(requests.map(({ refundId }) => refundId)).size).toBe(1);
    await advance(app, app.test.scope, 10 * MINUTE_MS);
    const { order, refunds } = await orderOf(id);
    expect(order.status).toBe('REFUNDED');
    expect(refunds).toMatchObject([{ status: 'succeeded' }]);
    expect(await countRefunded(id)).toBe(1);
  });
});

describe('a refund that the processor refuses', () => {
  it('is failed, gives nothing back, and may be asked for again', async () => {
    const { id } = await sell();
    await withRefunds(
      app,
      async () => ({ kind: 'failed', reason: 'not_refundable', message: 'No.' }),
      async () => {
        const { body } = await refund(id);
        expect(body.data).toMatchObject({ refund: { status: 'failed' }, order: { status: 'PAID' } });
      },
    );
    expect(await countRefunded(id)).toBe(0);
    expect((await refund(id)).body.data.order.status).toBe('REFUNDED');
  });
});

describe('a refund whose process died after its row was written', () => {
  it('is taken up once by however many workers', async () => {
    const { id, paymentId } = await sell();
    const { offsetMs } = await getClock(app.service.db, app.test.scope);
    const nowMs = Date.now() + offsetMs;
    const request = { paymentId, amountMinor: null, reason: 'other' as const, note: null };
    await inTransaction(app.service.db, (tx) =>
      requestRefund({ ...app.service, nowMs }, app.test.scope, { tx, ...request }),
    );
    expect((await orderOf(id)).refunds).toMatchObject([{ status: 'pending' }]);
    const workers = Array.from({ length: 4 }, () =>
      createWorker({ service: app.service, jobs: createJobs(app.service, exportedLists) }),
    );
    const requests = await withRefunds(
      app,
      (asked, call) => call(asked),
      async () => {
        // Again and again, with the lease taken away: as if each worker had died in the middle.
        for (let i = 0; i < 3; i += 1) {
          await app.service.pool.query(
            `update due_work set due_real_ms = 0, lease_until_ms = null where kind = 'send_refund'`,
          );
          await Promise.all(workers.map((worker) => worker.runDue()));
        }
      },
    );
    expect(new Set(requests.map(({ refundId }) => refundId)).size).toBe(1);
    expect((await orderOf(id)).order.status).toBe('REFUNDED');
    expect(await countRefunded(id)).toBe(1);
  });

  it('is gone on with by a replay of its request, and not made again', async () => {
    const { id } = await sell();
    const key = randomUUID();
    const first = await refund(id, { amount: 500 }, { 'idempotency-key': key });
    await app.service.db
      .updateTable('idempotencyKeys')
      .set({ response: null, leaseUntil: 0 })
      .where('key', '=', key)
      .execute();
    const again = await refund(id, { amount: 500 }, { 'idempotency-key': key });
    expect(again.body.data).toEqual(first.body.data);
    expect((await orderOf(id)).refunds).toHaveLength(1);
  });
});
