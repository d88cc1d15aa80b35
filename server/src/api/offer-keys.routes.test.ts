import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../../test/support/make-catalogue.ts';
import { scopeColumns } from '../db/scope.ts';

const NOBODY = '0190a5d2-7c1e-7d3a-8b43-0f6a52c1e900';

let app: TestApp;
let store: TestStore;

beforeAll(async () => {
  app = await createTestApp();
  store = app.test;
});
afterAll(() => app.close());

const add = (offerId: string, keys: string[], fields: Record<string, unknown> = {}) =>
  store.post(`/v0/offers/${offerId}/keys/add`, { productKeys: keys, ...fields });

async function listKeys(offerId: string, query: Record<string, string> = {}) {
  const { body } = await store.get(`/v0/offers/${offerId}/keys/list`, { query });
  return body.data.keys as Array<{
    id: string;
    status: string;
    last4: string | null;
    orderId: string | null;
  }>;
}

const nextId = () => app.service.ids.next(Date.now());

/** A paid order of one item that waits for keys; answers the item's id and the order's. */
async function makeWaitingItem(offerId: string, { quantity, paidAt }: { quantity: number; paidAt: number }) {
  const { db } = app.service;
  const [userId, orderId, itemId] = [nextId(), nextId(), nextId()];
  const columns = scopeColumns(store.scope);
  await db
    .insertInto('users')
    .values({ ...columns, id: userId, createdAt: 1 })
    .execute();
  await db
    .insertInto('orders')
    .values({
      ...columns,
      id: orderId,
      number: orderId.slice(-12).toUpperCase(),
      status: 'PAID',
      type: 'one_time',
      value: 1999n,
      tax: 0n,
      totalItems: quantity,
      currency: 'EUR',
      userId,
      paidAt,
      createdAt: 1,
    })
    .execute();
  await db
    .insertInto('orderItems')
    .values({
      ...columns,
      id: itemId,
      orderId,
      position: 0,
      offerId,
      name: 'Rocket',
      unitPrice: 1999n,
      quantity,
      currency: 'EUR',
      subtotal: 1999n,
      discount: 0n,
      tax: 0n,
      total: 1999n,
      inclusive: false,
      taxReason: 'standard',
      fulfilment: 'awaiting_stock',
      createdAt: 1,
    })
    .execute();
  return { itemId, orderId };
}

async function fulfilmentOf(itemId: string): Promise<string | undefined> {
  const row = await app.service.db
    .selectFrom('orderItems')
    .select('fulfilment')
    .where('id', '=', itemId)
    .executeTakeFirst();
  return row?.fulfilment;
}

async function keysOf(orderItemId: string) {
  return app.service.db
    .selectFrom('offerKeys')
    .select(['keyText', 'status', 'orderId', 'soldAt'])
    .where('orderItemId', '=', orderItemId)
    .orderBy('id')
    .execute();
}

describe('POST /v0/offers/:offerId/keys/add', () => {
  describe('200', () => {
    it('adds each key once, counting repeats in the request and in the stock', async () => {
      const id = await makeOffer(store);
      const first = await add(id, ['AAAA-0001', 'AAAA-0002', 'AAAA-0001']);
      expect(first.body.data).toEqual({ success: true, added: 2, duplicates: 1, invalid: [] });
      const second = await store.post(`/v0/offers/${id}/keys/add`, { keys: ['AAAA-0002', 'AAAA-0003'] });
      expect(second.body.data).toEqual({ success: true, added: 1, duplicates: 1, invalid: [] });
    });

    it('leaves white space around a key away, so that one key is not on the shelf twice', async () => {
      const { body } = await add(await makeOffer(store), ['AAA 1', ' AAA 1', 'AAA 1\r', '\tBBB\n']);
      expect(body.data).toMatchObject({ added: 2, duplicates: 2 });
    });

    it('stocks the same key in another offer', async () => {
      await add(await makeOffer(store), ['SAME-KEY']);
      expect((await add(await makeOffer(store), ['SAME-KEY'])).body.data.added).toBe(1);
    });

    it('adds each key once although two requests bring it at the same moment', async () => {
      const id = await makeOffer(store);
      const keys = Array.from({ length: 200 }, (_, i) => `RACE-${i}`);
      const answers = await Promise.all([add(id, keys), add(id, [...keys].reverse()), add(id, keys)]);
      expect(answers.reduce((sum, { body }) => sum + body.data.added, 0)).toBe(200);
    });

    it('makes the offer sell only what is in stock, for good', async () => {
      const id = await makeOffer(store);
      const hasKeys = async () =>
        (await app.service.db.selectFrom('offers').select('hasKeys').where('id', '=', id).executeTakeFirst())
          ?.hasKeys;
      expect(await hasKeys()).toBe(false);
      await add(id, ['ONE']);
      await store.delete(`/v0/offers/${id}/keys/removeAllUnsold`);
      expect(await hasKeys()).toBe(true);
    });

    it('takes 10,000 keys of 512 characters in one request', async () => {
      const id = await makeOffer(store);
      const keys = Array.from({ length: 10_000 }, (_, i) => String(i).padStart(512, 'x'));
      expect((await add(id, keys)).body.data).toEqual({
        success: true,
        added: 10_000,
        duplicates: 0,
        invalid: [],
      });
    });

    it('takes the product of the offer in either case of letters', async () => {
      const productId = await makeProduct(store);
      const id = await makeOffer(store, { productId });
      expect((await add(id, ['X'], { productId: productId.toUpperCase() })).status).toBe(200);
    });
  });

  describe('400', () => {
    it('refuses keys of a subscription offer', async () => {
      await expectRefusal(add(await makePlanOffer(store), ['KEY']), 400, 'keys_on_subscription');
    });

    it('refuses no keys, an empty or too long key, too many, and two lists', async () => {
      const id = await makeOffer(store);
      const path = `/v0/offers/${id}/keys/add`;
      const tooMany = Array.from({ length: 10_001 }, (_, i) => `k${i}`);
      const bodies = [
        {},
        { keys: [] },
        { keys: [''] },
        { keys: ['x'.repeat(513)] },
        { keys: [5] },
        { keys: tooMany },
        { keys: ['a'], productKeys: ['b'] },
        { keys: ['a'], productId: NOBODY },
        { keys: ['a'], colour: 'red' },
      ];
      for (const body of bodies) await expectRefusal(store.post(path, body), 400, 'invalid_input');
      expect(await listKeys(id)).toEqual([]);
    });
  });

  it('401: refuses the public key alone', async () => {
    const id = await makeOffer(store);
    const answer = store.post(`/v0/offers/${id}/keys/add`, { keys: ['a'] }, { keys: 'public' });
    await expectRefusal(answer, 401, 'secret_key_required');
  });

  it('404: knows no offer of another workspace or mode', async () => {
    const id = await makeOffer(store);
    for (const foreign of [app.other, app.live]) {
      const answer = foreign.post(`/v0/offers/${id}/keys/add`, { keys: ['a'] });
      await expectRefusal(answer, 404, 'not_found');
    }
  });
});

describe('keys for buyers who paid and wait', () => {
  it('go to who paid first, and complete an item only when all of them are there', async () => {
    const id = await makeOffer(store);
    await add(id, ['GONE']);
    await store.delete(`/v0/offers/${id}/keys/removeAllUnsold`);
    const later = await makeWaitingItem(id, { quantity: 1, paidAt: 2000 });
    const sooner = await makeWaitingItem(id, { quantity: 2, paidAt: 1000 });

    await add(id, ['NEW-1']);
    expect((await keysOf(sooner.itemId)).map(({ keyText }) => keyText)).toEqual(['NEW-1']);
    expect(await fulfilmentOf(sooner.itemId)).toBe('awaiting_stock');

    await add(id, ['NEW-2', 'NEW-3', 'NEW-4']);
    expect(await keysOf(sooner.itemId)).toMatchObject([
      { keyText: 'NEW-1', status: 'sold', orderId: sooner.orderId, soldAt: expect.any(Number) },
      { keyText: 'NEW-2', status: 'sold', orderId: sooner.orderId, soldAt: expect.any(Number) },
    ]);
    expect((await keysOf(later.itemId)).map(({ keyText }) => keyText)).toEqual(['NEW-3']);
    expect(await fulfilmentOf(sooner.itemId)).toBe('delivered');
    expect(await fulfilmentOf(later.itemId)).toBe('delivered');
    expect((await store.get(`/v0/offers/${id}`)).body.data.offer.keys).toEqual({
      available: 1,
      reserved: 0,
      sold: 3,
    });
  });

  it('are as many as were bought when several requests bring stock at once', async () => {
    const id = await makeOffer(store);
    // The first keys of an offer change its row anyway; these requests meet on a later one.
    await add(id, ['GONE']);
    await store.delete(`/v0/offers/${id}/keys/removeAllUnsold`);
    const items: string[] = [];
    for (let paidAt = 1; paidAt <= 3; paidAt += 1) {
      items.push((await makeWaitingItem(id, { quantity: 4, paidAt })).itemId);
    }
    const batches = Array.from({ length: 16 }, (_, i) => [`B-${i}`]);
    await Promise.all(batches.map((keys) => add(id, keys)));
    for (const item of items) {
      expect(await fulfilmentOf(item)).toBe('delivered');
      expect(await keysOf(item)).toHaveLength(4);
    }
    expect(await listKeys(id, { status: 'available' })).toHaveLength(4);
  });
});

describe('GET /v0/offers/:offerId/keys/list', () => {
  it('200: shows keys newest first by their last 4, and nothing of a short one', async () => {
    const id = await makeOffer(store);
    await add(id, ['12345678', '123456789'], { fileName: 'batch.txt' });
    const { body, text } = await store.get(`/v0/offers/${id}/keys/list`);
    expect(body.data).toMatchObject({
      keys: [
        { object: 'offer_key', offerId: id, status: 'available', last4: '6789', fileName: 'batch.txt' },
        { last4: null, orderId: null, soldAt: null },
      ],
      count: 2,
      cursor: null,
      hasMore: false,
    });
    expect(text).not.toContain('12345678');
  });

  it('200: filters by status and pages without repeats', async () => {
    const id = await makeOffer(store);
    await makeWaitingItem(id, { quantity: 1, paidAt: 1 });
    await add(id, ['A', 'B', 'C']);
    expect(await listKeys(id, { status: 'sold' })).toHaveLength(1);
    expect(await listKeys(id, { status: 'available' })).toHaveLength(2);
    const first = await store.get(`/v0/offers/${id}/keys/list`, { query: { take: '2' } });
    const rest = await listKeys(id, { take: '2', cursor: first.body.data.cursor });
    const ids = [...first.body.data.keys, ...rest].map(({ id: keyId }: { id: string }) => keyId);
    expect(new Set(ids).size).toBe(3);
  });

  it('401, 404: needs the secret key and an offer of this store', async () => {
    const id = await makeOffer(store);
    const path = `/v0/offers/${id}/keys/list`;
    await expectRefusal(store.get(path, { keys: 'public' }), 401, 'secret_key_required');
    await expectRefusal(app.other.get(path), 404, 'not_found');
  });
});

describe('a key, a code and a secret with an emoji among the last characters', () => {
  const EMOJI = '\u{1f600}';
  const HALF = /[\ud800-\udfff]/u;

  it('is counted and masked by whole characters wherever it is shown', async () => {
    const id = await makeOffer(store);
    const key = `ABCDEFGH${EMOJI}bcd`;
    const added = await add(id, [key, EMOJI.repeat(512)]);
    expect(added.body.data, added.text).toMatchObject({ added: 2 });
    await expectRefusal(add(id, [EMOJI.repeat(513)]), 400, 'invalid_input');

    const { order } = (await buy(store, { offersIds: [id] })).body.data;
    const shown = await store.get(`/v0/orders/${order.id}`, { keys: 'public' });
    expect(shown.body.data.items[0].keys[0].key, shown.text).toBe(`••••${EMOJI}bcd`);
    const events = (await store.get('/v0/events/list', { query: { orderId: order.id } })).body.data.events;
    expect(events[0].data.items[0].keys[0].last4).toBe(`${EMOJI}bcd`);

    const discount = { type: 'code', amount: 5, amountType: 'percentage', discountCode: `SAVE${EMOJI}x` };
    const made = (await store.post('/v0/discounts/create', discount)).body.data.discount;
    const masked = await store.get(`/v0/discounts/${made.id}`, { keys: 'public' });
    expect(masked.body.data.discount.discountCode).toBe(`••••${EMOJI}x`);

    const secret = `sixteen-and-more-${EMOJI}bcd`;
    const webhook = { url: 'https://93.184.215.14/hook', events: ['payment_success'], secret };
    expect((await store.post('/v0/webhooks/create', webhook)).status).toBe(200);
    const webhooks = (await store.get('/v0/webhooks/list', { keys: 'public' })).body.data.webhooks;
    expect(webhooks[0].secret).toBe(`••••${EMOJI}bcd`);
    for (const { body } of [shown, masked]) expect(JSON.stringify(body)).not.toMatch(HALF);
  });
});

describe('DELETE /v0/offers/:offerId/keys/:keyId/removeUnsold', () => {
  it('200: takes an available key off the shelf', async () => {
    const id = await makeOffer(store);
    await add(id, ['A']);
    const [key] = await listKeys(id);
    const { body } = await store.delete(`/v0/offers/${id}/keys/${key?.id}/removeUnsold`);
    expect(body.data).toEqual({ success: true, removed: 1 });
    expect(await listKeys(id)).toEqual([]);
  });

  it('404: knows no key of another offer', async () => {
    const id = await makeOffer(store);
    await add(id, ['A']);
    const [key] = await listKeys(id);
    const elsewhere = await makeOffer(store);
    const path = `/v0/offers/${elsewhere}/keys/${key?.id}/removeUnsold`;
    await expectRefusal(store.delete(path), 404, 'not_found');
  });

  it.each([
    ['sold', 'key_sold'],
    ['revoked', 'key_sold'],
    ['reserved', 'key_reserved'],
  ] as const)('409: keeps a %s key', async (status, code) => {
    const id = await makeOffer(store);
    const { itemId } = await makeWaitingItem(id, { quantity: 1, paidAt: 1 });
    await add(id, ['A']);
    await app.service.db.updateTable('offerKeys').set({ status }).where('orderItemId', '=', itemId).execute();
    const [key] = await listKeys(id);
    await expectRefusal(store.delete(`/v0/offers/${id}/keys/${key?.id}/removeUnsold`), 409, code);
    expect(await listKeys(id)).toHaveLength(1);
  });
});

describe('DELETE /v0/offers/:offerId/keys/removeAllUnsold', () => {
  it('200: removes the available keys and keeps the sold ones', async () => {
    const id = await makeOffer(store);
    await makeWaitingItem(id, { quantity: 1, paidAt: 1 });
    await add(id, ['A', 'B', 'C']);
    const { body } = await store.delete(`/v0/offers/${id}/keys/removeAllUnsold`);
    expect(body.data).toEqual({ success: true, removed: 2 });
    expect((await listKeys(id)).map(({ status }) => status)).toEqual(['sold']);
  });

  it('404: knows no offer of another workspace', async () => {
    const id = await makeOffer(store);
    await expectRefusal(app.other.delete(`/v0/offers/${id}/keys/removeAllUnsold`), 404, 'not_found');
  });
});
