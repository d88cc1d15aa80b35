import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp, type TestStore } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { withoutIds } from '../support/without-ids.ts';

/** Ids of one store by what they are ids of. */
type Ids = Record<string, string>;

let app: TestApp;
let ids: Ids;
beforeAll(async () => {
  app = await createTestApp();
  ids = await fill(app.test);
});
afterAll(() => app.close());

/** One of everything that has an id. */
async function fill(store: TestStore): Promise<Ids> {
  const offerId = await makeOffer(store);
  const planOfferId = await makePlanOffer(store);
  const created = async (path: string, body: Record<string, unknown>, name: string) => {
    const { text, body: answer } = await store.post(path, body);
    expect(text).toContain('success');
    return answer.data[name];
  };
  await store.post(`/v0/offers/${offerId}/keys/add`, { productKeys: ['ISOLATED-1', 'ISOLATED-2'] });
  const { productId } = (await store.get(`/v0/offers/${offerId}`)).body.data.offer;
  const planProduct = (await store.get(`/v0/offers/${planOfferId}`)).body.data.offer.productId;
  const bought = await buy(store, { offersIds: [offerId] });
  const subscribed = await buy(store, { offersIds: [planOfferId] });
  const sale = { type: 'sale', amount: 1, amountType: 'percentage' };
  const field = { key: 'guild', label: 'Guild', type: 'text', required: false };
  const variant = await created(`/v0/products/${productId}/variants/add`, { name: 'Deluxe' }, 'variant');
  const plan = await created(`/v0/products/${planProduct}/plans/add`, { name: 'Gold' }, 'plan');
  const element = await created('/v0/elements/checkout/create', { offersIds: [offerId] }, 'checkoutElement');
  const discount = await created('/v0/discounts/create', sale, 'discount');
  const customField = await created('/v0/custom-fields/create', field, 'customField');
  const keys = (await store.get(`/v0/offers/${offerId}/keys/list`)).body.data.keys;
  const events = (await store.get('/v0/events/list')).body.data.events;
  const refunded = await store.post(`/v0/orders/${bought.body.data.order.id}/refunds`, { amount: 1 });
  return {
    productId,
    offerId,
    variantId: variant.id,
    planId: plan.id,
    keyId: keys[0].id,
    discountId: discount.id,
    elementId: element.id,
    checkoutElementId: element.id,
    customFieldId: customField.id,
    orderIdOrNumber: bought.body.data.order.id,
    orderId: bought.body.data.order.id,
    paymentId: bought.body.data.payment.id,
    paymentIdOrNumber: bought.body.data.payment.number,
    subscriptionId: subscribed.body.data.subscription.id,
    subscriptionIdOrNumber: subscribed.body.data.subscription.id,
    userId: bought.body.data.order.userId,
    eventId: events[0].id,
    chargeId: bought.body.data.payment.charges[0].id,
    refundId: refunded.body.data.refund.id,
  };
}

interface Operation {
  method: string;
  path: string;
  example: unknown;
}

/** Every documented operation whose path names an object. */
async function listOperations(): Promise<Operation[]> {
  const { body } = await app.test.get('/openapi.json', { keys: 'none' });
  return Object.entries(body.paths as Record<string, Record<string, unknown>>)
    .filter(([path]) => path.includes('{'))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        example: findExample(operation),
      })),
    );
}

function findExample(operation: unknown): unknown {
  type Described = {
    requestBody?: {
      content: Record<string, { schema?: { examples?: unknown[] }; example?: unknown; examples?: unknown }>;
    };
  };
  const content = (operation as Described).requestBody?.content['application/json'];
  return content?.schema?.examples?.[0] ?? content?.example ?? {};
}

/** The path with ids filled in; null when the test has none of the kind. */
function fillPath(path: string, from: Ids): string | null {
  let isKnown = true;
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const id = from[name];
    if (id === undefined) isKnown = false;
    return encodeURIComponent(id ?? '');
  });
  return isKnown ? filled : null;
}

const unknownIds = (): Ids => new Proxy({}, { get: () => randomUUID() });

/** What the first store holds, so that a write by a stranger would be seen. */
async function snapshot(): Promise<string> {
  const tables = [
    'products',
    'variants',
    'offers',
    'offer_keys',
    'discounts',
    'checkout_elements',
    'custom_fields',
  ];
  const sales = ['orders', 'payments', 'charges', 'subscriptions', 'users', 'events'];
  const parts = [];
  for (const table of [...tables, ...sales]) {
    const { rows } = await app.service.pool.query(
      `select md5(string_agg(t::text, '|' order by t::text)) as sum from ${table} t where workspace_id = $1 and test_mode`,
      [app.test.scope.workspaceId],
    );
    parts.push(`${table} ${rows[0].sum}`);
  }
  return parts.join('\n');
}

describe('ids of a store', () => {
  it.each(['other', 'live'] as const)(
    'T32 are unknown to the %s store in every documented operation',
    async (name) => {
      const before = await snapshot();
      const operations = await listOperations();
      const tried: string[] = [];
      for (const { method, path, example } of operations) {
        const filled = fillPath(path, ids);
        // A buyer's own: no pair opens them, and S10 tries each with another buyer's ids.
        if (filled === null || path.startsWith('/v0/portal/')) continue;
        tried.push(path);
        const body = method === 'GET' ? {} : { body: example };
        const answer = await app[name].request(method, filled, body);
        const unknown = await app[name].request(method, fillPath(path, unknownIds()) ?? '', body);
        const label = `${method} ${path}`;
        expect({ label, status: answer.status }).toEqual({ label, status: unknown.status });
        expect({ label, code: answer.body.error?.code }).toEqual({ label, code: unknown.body.error?.code });
        expect([404, 400], label).toContain(answer.status);
        expect({ label, message: withoutIds(answer.body.error.message) }).toEqual({
          label,
          message: withoutIds(unknown.body.error.message),
        });
      }
      expect(tried.length).toBeGreaterThan(25);
      expect(await snapshot()).toBe(before);
    },
  );

  it('are unknown as references in bodies, too', async () => {
    for (const store of [app.other, app.live]) {
      const refused = [
        store.post('/v0/offers/create', { productId: ids.productId, price: 1, currency: 'EUR' }),
        store.post('/v0/elements/checkout/create', { offersIds: [ids.offerId] }),
        store.post('/v0/discounts/create', {
          type: 'sale',
          amount: 1,
          amountType: 'percentage',
          includedOffers: [ids.offerId],
        }),
      ];
      for (const { status, text } of await Promise.all(refused)) {
        expect([400, 404]).toContain(status);
        expect(text).not.toContain('Rocket');
      }
    }
    const bought = await buy(app.other, { offersIds: [ids.offerId] });
    expect(bought.status).toBe(404);
  });

  it('show up in no list of another store', async () => {
    const lists = [
      'products',
      'offers',
      'discounts',
      'elements/checkout',
      'orders',
      'payments',
      'events',
      'custom-fields',
      'users',
    ];
    for (const store of [app.other, app.live]) {
      for (const list of lists) {
        const { status, text } = await store.get(`/v0/${list}/list`, { query: { withArchived: 'true' } });
        expect(status, list).toBe(200);
        for (const id of Object.values(ids)) expect(text).not.toContain(id);
      }
      const filtered = await store.get('/v0/orders/list', {
        query: { userId: String(ids.userId), returnCount: '1' },
      });
      expect(filtered.body.data).toMatchObject({ orders: [], count: 0 });
    }
  });
});

it('leaves nothing broken that must always hold', () => expectInvariants(app));
