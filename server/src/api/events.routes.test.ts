import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makePlanOffer } from '../../test/support/make-catalogue.ts';
import { inTransaction } from '../db/transaction.ts';
import { type NewEvent, recordEvents } from '../flows/outbox/record-event.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
afterEach(async () => {
  await t.service.db.deleteFrom('webhookDeliveries').execute();
  await t.service.db.deleteFrom('events').execute();
});

const DATA = {
  items: [{ object: 'item', id: 'i', name: 'Font', tags: { deep: [1, 2] } }],
  order: { object: 'order', value: 1200 },
  payment: { object: 'payment', value: 1200 },
  customer: { object: 'user', username: null },
  user: { object: 'user', username: null },
};

async function record(event: Partial<NewEvent> = {}): Promise<string> {
  const whole: NewEvent = {
    type: 'payment_success',
    entityId: randomUUID(),
    entityVersion: 1,
    orderId: randomUUID(),
    paymentId: null,
    subscriptionId: null,
    createdAtMs: 1_767_225_600_000,
    data: DATA,
    ...event,
  };
  await inTransaction(t.service.db, (tx) => recordEvents(tx, t.test.scope, t.service.ids, [whole]));
  const { db } = t.service;
  const row = db.selectFrom('events').select('id').where('entityId', '=', whole.entityId);
  return (await row.executeTakeFirstOrThrow()).id;
}

/** Buys a subscription; answers its id and the order's. */
async function subscribe(): Promise<{ subscriptionId: string; orderId: string }> {
  const purchase = { offersIds: [await makePlanOffer(t.test)], userEmail: `${randomUUID()}@buyer.example` };
  const { body } = await t.test.post('/v0/test-purchases/create', {
    ...purchase,
    billingDetails: { countryCode: 'DE' },
  });
  return { subscriptionId: body.data.subscription.id, orderId: body.data.order.id };
}

describe('GET /v0/events/{id}', () => {
  it('200: answers the event as it was told, whatever its data holds', async () => {
    const id = await record();
    // Past the check of answers: an event of last year has the fields of last year.
    const headers = { 'x-svc-public-key': t.test.keys.publicKey };
    const answer = await t.app.inject({ url: `/v0/events/${id}`, headers });
    expect(answer.json().data.event).toEqual({
      object: 'event',
      id,
      type: 'payment_success',
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      testMode: true,
      createdAt: 1_767_225_600_000,
      data: DATA,
    });
  });

  it('404: knows none of another workspace or mode', async () => {
    const id = await record();
    expect((await t.other.get(`/v0/events/${id}`)).status).toBe(404);
    expect((await t.live.get(`/v0/events/${id}`)).status).toBe(404);
    expect((await t.test.get(`/v0/events/${randomUUID()}`)).status).toBe(404);
  });

  it('401: needs a key', async () => {
    expect((await t.test.get('/v0/events/list', { keys: 'none' })).status).toBe(401);
  });
});

describe('GET /v0/events/list', () => {
  const list = async (query = '') => (await t.test.get(`/v0/events/list${query}`)).body.data;
  const idsOf = async (query = '') => (await list(query)).events.map(({ id }: { id: string }) => id);

  it('200: lists newest first and filters by type and time', async () => {
    const paid = await record({ createdAtMs: 1_700_000_000_000 });
    const failed = await record({ type: 'payment_failed', createdAtMs: 1_700_000_001_000 });
    const updated = await record({ type: 'subscription_updated', createdAtMs: 1_700_000_002_000 });
    expect(await idsOf()).toEqual([updated, failed, paid]);
    expect(await idsOf('?types=payment_failed,payment_success')).toEqual([failed, paid]);
    expect(await idsOf('?createdFrom=1700000001')).toEqual([updated, failed]);
    expect(await idsOf('?createdTo=1700000001000')).toEqual([failed, paid]);
  });

  it('200: gives the events of one order or subscription, as a purchase writes them', async () => {
    const { subscriptionId, orderId } = await subscribe();
    await record();
    const typesOf = async (query: string) =>
      (await list(query)).events.map(({ type }: { type: string }) => type).reverse();
    const types = ['subscription_created', 'subscription_updated', 'payment_success'];
    expect(await typesOf(`?orderId=${orderId}`)).toEqual(types);
    expect(await typesOf(`?subscriptionId=${subscriptionId}`)).toEqual(types);
    expect(await typesOf(`?subscriptionId=%23${subscriptionId.toLowerCase()}`)).toEqual(types);
    expect(await typesOf('?subscriptionId=ZZZZZZ012345')).toEqual([]);
  });

  it('200: pages by cursor, and counts only when asked', async () => {
    const made = [await record(), await record(), await record()].reverse();
    const first = await list('?take=2');
    expect(first).toMatchObject({ count: null, hasMore: true });
    const second = await list(`?take=2&cursor=${first.cursor}&returnCount=true`);
    expect(second).toMatchObject({ count: 3, hasMore: false, cursor: null });
    expect([...first.events, ...second.events].map(({ id }) => id)).toEqual(made);
  });

  it.each(['types=nothing', 'orderId=1', 'subscriptionId=no', 'createdFrom=soon'])(
    '400: refuses %s',
    async (query) => {
      expect((await t.test.get(`/v0/events/list?${query}`)).status).toBe(400);
    },
  );
});
