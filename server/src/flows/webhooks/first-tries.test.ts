import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { createReceiver, type Receiver } from '../../../test/support/receiver.ts';
import { inTransaction } from '../../db/transaction.ts';
import { recordEvents } from '../outbox/record-event.ts';

let t: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  t = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  receiver = await createReceiver();
});
afterAll(async () => {
  await receiver.close();
  await t.close();
});
afterEach(async () => {
  receiver.reset();
  for (const table of ['webhookDeliveries', 'webhooks', 'events', 'dueWork', 'mails'] as const) {
    await t.service.db.deleteFrom(table).execute();
  }
});

async function subscribe(body: object = {}) {
  const answer = await t.test.post('/v0/webhooks/create', {
    url: `${receiver.url}/hook`,
    events: ['payment_success'],
    ...body,
  });
  expect(answer.status).toBe(200);
  return answer.body.data.webhook;
}

const work = () => t.wired.worker.runDue();

describe('first tries to one webhook', () => {
  it('sends first tries about one order one after the other, in their order, and others beside them', async () => {
    await subscribe();
    const [orderA, orderB] = [randomUUID(), randomUUID()];
    const about = async (orderId: string, count: number) => {
      const createdAtMs = Date.now();
      const events = Array.from({ length: count }, (_, n) => ({
        type: 'payment_success' as const,
        ...{ entityId: randomUUID(), entityVersion: 1, orderId, paymentId: null, subscriptionId: null },
        createdAtMs,
        data: { items: [], order: { id: orderId, n }, payment: {}, customer: {}, user: {} },
        mail: null,
      }));
      await inTransaction(t.service.db, (tx) => recordEvents(tx, t.test.scope, t.service.ids, events));
    };
    await about(orderA, 5);
    await about(orderB, 1);
    // The first of A is slow: what follows it waits for its answer, B does not.
    receiver.script({ status: 500, delayMs: 400 });
    await work();
    const told = receiver.requests.map(({ raw }) => JSON.parse(raw.toString()).data.order);
    const ofA = told.filter(({ id }) => id === orderA).map(({ n }) => n);
    expect(ofA).toEqual([0, 1, 2, 3, 4]);
    expect(told.findIndex(({ id }) => id === orderB)).toBe(1);
    // A retry holds nothing up.
    await about(orderA, 1);
    await work();
    expect(receiver.requests).toHaveLength(7);
  });

  it('waits no longer than 15 s for the first try before', async () => {
    await subscribe();
    const orderId = randomUUID();
    const event = () => ({
      type: 'payment_success' as const,
      ...{ entityId: randomUUID(), entityVersion: 1, orderId, paymentId: null, subscriptionId: null },
      createdAtMs: Date.now(),
      data: { items: [], order: {}, payment: {}, customer: {}, user: {} },
      mail: null,
    });
    const events = [event(), event()];
    await inTransaction(t.service.db, (tx) => recordEvents(tx, t.test.scope, t.service.ids, events));
    const [row] = await t.service.db.selectFrom('dueWork').selectAll().orderBy('place').execute();
    const begun = (agoMs: number) =>
      t.service.db
        .updateTable('dueWork')
        .set({ leaseUntilMs: sql`real_now_ms() + 60000 - ${agoMs}` })
        .where('refId', '=', row?.refId ?? '')
        .execute();
    await begun(14_000);
    await work();
    expect(receiver.requests).toHaveLength(0);
    await begun(15_100);
    await work();
    expect(receiver.requests).toHaveLength(1);
  });
});
