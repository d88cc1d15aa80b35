import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';

const NOBODY = '0190a5d2-7c1e-7d3a-8b43-0f6a52c1e900';

let app: TestApp;
let store: TestStore;
let offer: string;
let second: string;
let plan: string;

beforeAll(async () => {
  app = await createTestApp();
  store = app.test;
  offer = await makeOffer(store, { internalId: 'sku-1' });
  second = await makeOffer(store);
  plan = await makePlanOffer(store);
});
afterAll(() => app.close());

const create = (fields: Record<string, unknown>) => store.post('/v0/elements/checkout/create', fields);

async function makeElement(fields: Record<string, unknown> = {}): Promise<string> {
  return (await create({ offersIds: [offer], ...fields })).body.data.checkoutElement.id;
}

describe('the sites that may show an element', () => {
  it('are kept as they are compared, changed by an update, and no more than the setting covers', async () => {
    await store.patch('/v0/settings/update', { authorizedDomains: ['*.shop.example'] });
    const id = await makeElement({ allowedOrigins: ['https://A.Shop.example/', 'http://localhost:5173'] });
    const path = `/v0/elements/checkout/${id}`;
    const read = async () => (await store.get(path)).body.data.checkoutElement.allowedOrigins;
    expect(await read()).toEqual(['https://a.shop.example', 'http://localhost:5173']);
    await store.patch(`${path}/update`, { name: 'Another' });
    expect(await read()).toHaveLength(2);
    for (const wrong of ['https://elsewhere.example', 'https://a.shop.example/path']) {
      const refused = await store.patch(`${path}/update`, { allowedOrigins: ['b.shop.example', wrong] });
      expect(refused.status).toBe(400);
      expect(refused.body.error.details[0].path).toBe('allowedOrigins.1');
    }
    await store.patch(`${path}/update`, { allowedOrigins: [] });
    expect(await read()).toEqual([]);
  });
});

describe('POST /v0/elements/checkout/create', () => {
  describe('200', () => {
    it('answers every field, the cart in its order with what is bought twice', async () => {
      const { body } = await create({ offersIds: [second, offer, second], name: 'Pack' });
      const { id } = body.data.checkoutElement;
      expect(body.data.checkoutElement).toEqual({
        object: 'checkoutElement',
        id,
        name: 'Pack',
        subscriptionOffer: false,
        offers: [
          { id: second, object: 'offer', internalId: null },
          { id: offer, object: 'offer', internalId: 'sku-1' },
          { id: second, object: 'offer', internalId: null },
        ],
        allowedOrigins: [],
        status: 'active',
        url: `http://localhost:3000/checkout-element/${id}`,
        version: 1,
      });
      const read = await store.get(`/v0/elements/checkout/${id}`, { keys: 'public' });
      expect(read.body).toEqual(body);
    });

    it('takes exactly one subscription offer', async () => {
      const { body } = await create({ offers: [plan] });
      expect(body.data.checkoutElement).toMatchObject({ subscriptionOffer: true, name: null });
    });

    it('takes ids in capitals, a DRAFT offer and the short path', async () => {
      const draft = await makeOffer(store, { status: 'DRAFT' });
      const { status, body } = await store.post('/v0/elements/create', { offersIds: [draft.toUpperCase()] });
      expect(status).toBe(200);
      expect(body.data.checkoutElement.offers[0].id).toBe(draft);
    });

    it('makes one element for one Idempotency-Key', async () => {
      const options = { headers: { 'idempotency-key': 'element-once' } };
      const send = () => store.post('/v0/elements/checkout/create', { offersIds: [offer] }, options);
      const first = await send();
      const again = await send();
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.body).toEqual(first.body);
    });
  });

  describe('400', () => {
    it('refuses customFields whatever they hold', async () => {
      for (const customFields of [[], {}, null, ['x'], 'x']) {
        await expectRefusal(create({ offersIds: [offer], customFields }), 400, 'custom_fields_not_allowed');
      }
    });

    it('refuses a subscription offer beside another offer, or twice', async () => {
      await expectRefusal(create({ offersIds: [plan, offer] }), 400, 'mixed_offers');
      await expectRefusal(create({ offersIds: [plan, await makePlanOffer(store)] }), 400, 'mixed_offers');
      await expectRefusal(create({ offersIds: [plan, plan] }), 400, 'mixed_offers');
    });

    it('refuses an offer that the store does not have', async () => {
      const elsewhere = await makeOffer(app.other);
      await expectRefusal(create({ offersIds: [offer, NOBODY] }), 400, 'unknown_reference');
      await expectRefusal(create({ offersIds: [elsewhere] }), 400, 'unknown_reference');
    });

    it('refuses an archived offer', async () => {
      const gone = await makeOffer(store);
      await store.patch(`/v0/offers/${gone}/archive`);
      await expectRefusal(create({ offersIds: [gone] }), 400, 'offer_not_for_sale');
    });

    it('refuses no offers, too many, what is no id, two lists and unknown fields', async () => {
      const bodies = [
        {},
        { offersIds: [] },
        { offersIds: Array.from({ length: 101 }, () => offer) },
        { offersIds: ['x'] },
        { offersIds: [offer], offers: [offer] },
        { offersIds: [offer], offerIds: [offer] },
        { offersIds: [offer], name: '' },
      ];
      for (const body of bodies) await expectRefusal(create(body), 400, 'invalid_input');
    });
  });

  it('401: refuses the public key alone', async () => {
    const answer = store.post('/v0/elements/checkout/create', { offersIds: [offer] }, { keys: 'public' });
    await expectRefusal(answer, 401, 'secret_key_required');
  });
});

describe('GET /v0/elements/checkout/list', () => {
  it('200: shows elements newest first, pages by skip and cursor, and counts exactly', async () => {
    const made: string[] = [];
    for (let i = 0; i < 3; i += 1) made.unshift(await makeElement());
    const list = async (query: Record<string, string>) =>
      (await store.get('/v0/elements/list', { query })).body.data;
    const all = await list({});
    const idsOf = (page: { checkoutElements: Array<{ id: string }> }) =>
      page.checkoutElements.map(({ id }) => id);
    expect(idsOf(all).slice(0, 3)).toEqual(made);
    expect(all.count).toBe(all.checkoutElements.length);
    const first = await list({ take: '1' });
    expect(first).toMatchObject({ count: all.count, hasMore: true });
    expect(idsOf(await list({ take: '1', cursor: first.cursor }))).toEqual([made[1]]);
    expect(idsOf(await list({ take: '1', skip: '2' }))).toEqual([made[2]]);
    expect(idsOf(await list({ skip: '1.7976931348623157e308' }))).toEqual([]);
  });

  it('200: leaves archived elements out unless asked for', async () => {
    const id = await makeElement();
    const { body } = await store.patch(`/v0/elements/checkout/${id}/archive`, { id });
    expect(body.data.checkoutElement).toMatchObject({ id, status: 'archived' });
    const has = async (query: Record<string, string>) => {
      const answer = await store.get('/v0/elements/checkout/list', { query });
      return answer.body.data.checkoutElements.some((element: { id: string }) => element.id === id);
    };
    expect(await has({})).toBe(false);
    expect(await has({ withArchived: 'true' })).toBe(true);
    expect(await has({ archived: 'true' })).toBe(true);
  });

  it('400: refuses a page size outside 1 to 100 and a negative offset', async () => {
    const queries: Array<Record<string, string>> = [
      { take: '0' },
      { take: '101' },
      { take: 'x' },
      { skip: '-1' },
    ];
    for (const query of queries) {
      await expectRefusal(store.get('/v0/elements/checkout/list', { query }), 400, 'invalid_input');
    }
    expect((await store.get('/v0/elements/checkout/list', { query: { take: '100' } })).status).toBe(200);
  });

  it('401: needs a key', async () => {
    await expectRefusal(store.get('/v0/elements/checkout/list', { keys: 'none' }), 401, 'unauthorized');
  });
});

describe('PATCH /v0/elements/checkout/:elementId/update', () => {
  it('200: changes the name alone, clears it, and replaces the cart', async () => {
    const id = await makeElement({ name: 'Old' });
    const path = `/v0/elements/checkout/${id}/update`;
    const named = await store.patch(path, { id, name: 'New' });
    expect(named.body.data.checkoutElement).toMatchObject({ name: 'New', offers: [{ id: offer }] });
    const cart = await store.patch(path, { offers: [plan], name: null });
    expect(cart.body.data.checkoutElement).toMatchObject({
      name: null,
      subscriptionOffer: true,
      offers: [{ id: plan }],
    });
    const { version, ...unchanged } = (await store.patch(path, {})).body.data.checkoutElement;
    expect(cart.body.data.checkoutElement).toEqual({ ...unchanged, version: version - 1 });
  });

  it('400: refuses a cart that create would refuse, and leaves the element as it was', async () => {
    const id = await makeElement();
    const path = `/v0/elements/checkout/${id}/update`;
    await expectRefusal(store.patch(path, { offersIds: [plan, offer] }), 400, 'mixed_offers');
    await expectRefusal(store.patch(path, { offersIds: [NOBODY] }), 400, 'unknown_reference');
    await expectRefusal(store.patch(path, { offersIds: [] }), 400, 'invalid_input');
    await expectRefusal(store.patch(path, { customFields: [] }), 400, 'custom_fields_not_allowed');
    const read = await store.get(`/v0/elements/checkout/${id}`);
    expect(read.body.data.checkoutElement.offers).toMatchObject([{ id: offer }]);
  });

  it('404: knows no element of another workspace or mode', async () => {
    const id = await makeElement();
    for (const foreign of [app.other, app.live]) {
      await expectRefusal(foreign.get(`/v0/elements/checkout/${id}`), 404, 'not_found');
      await expectRefusal(
        foreign.patch(`/v0/elements/checkout/${id}/update`, { name: 'x' }),
        404,
        'not_found',
      );
      await expectRefusal(foreign.patch(`/v0/elements/checkout/${id}/archive`), 404, 'not_found');
    }
  });
});
