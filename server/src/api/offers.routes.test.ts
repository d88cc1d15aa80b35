import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../../test/support/make-catalogue.ts';

const NOBODY = '0190a5d2-7c1e-7d3a-8b43-0f6a52c1e900';

let app: TestApp;
let store: TestStore;
let productId: string;

beforeAll(async () => {
  app = await createTestApp();
  store = app.test;
  productId = await makeProduct(store);
  await makeOffer(store, { productId });
});
afterAll(() => app.close());

async function create(fields: Record<string, unknown>, to = store) {
  return to.post('/v0/offers/create', { productId, price: 1999, currency: 'EUR', ...fields });
}

/** A running sale of a tenth on the offers given. */
function makeSale(fields: Record<string, unknown>) {
  return store.post('/v0/discounts/create', {
    type: 'sale',
    amount: 10,
    amountType: 'percentage',
    ...fields,
  });
}

describe('POST /v0/offers/create', () => {
  describe('200', () => {
    it('answers every field, with defaults where nothing was said', async () => {
      const { body } = await create({});
      const { id, createdAt, ...rest } = body.data.offer;
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(createdAt).toBeGreaterThan(1_600_000_000_000);
      expect(rest).toEqual({
        object: 'offer',
        internalId: null,
        productId,
        variantId: null,
        price: 1999,
        originalPrice: null,
        currency: 'EUR',
        recurringInterval: null,
        recurringIntervalCount: null,
        trialInterval: null,
        trialIntervalCount: null,
        limit: null,
        maxPerOrder: null,
        soldItems: 0,
        downloadLimit: null,
        downloadDays: null,
        freeProduct: false,
        status: 'ACTIVE',
        name: null,
        description: null,
        cover: null,
        coverBlurHash: null,
        region: 'Global',
        platform: 'Global',
        gtin: null,
        warningMessage: null,
        mutableQuantity: false,
        taxBehavior: null,
        hasDiscount: false,
        download: null,
        tags: [],
        archivedAt: null,
        version: 1,
      });
    });

    it('keeps every field that was given', async () => {
      const variant = await store.post(`/v0/products/${productId}/variants/add`, { name: 'Deluxe' });
      const fields = {
        internalId: 'sku-1',
        variantId: variant.body.data.variant.id,
        price: 2500,
        originalPrice: 3000,
        limit: 5,
        status: 'DRAFT',
        name: 'Deluxe, Steam',
        description: 'With the soundtrack.',
        cover: 'https://cdn.example/cover.png',
        coverBlurHash: 'LEHV6nWB2yk8',
        region: 'Europe',
        platform: 'Steam',
        gtin: '04012345678901',
        warningMessage: 'Not for consoles.',
        mutableQuantity: true,
        taxBehavior: 'inclusive',
        tags: [{ id: 'new', name: 'New' }],
      };
      const { body } = await create(fields);
      expect(body.data.offer).toMatchObject(fields);
    });

    it('takes the currency of the store when none is given', async () => {
      expect((await create({ currency: undefined })).body.data.offer.currency).toBe('EUR');
    });

    it('takes interval and trial of a Subscription product', async () => {
      const id = await makePlanOffer(store, { trialInterval: 'day', trialIntervalCount: 14 });
      expect((await store.get(`/v0/offers/${id}`)).body.data.offer).toMatchObject({
        recurringInterval: 'month',
        recurringIntervalCount: 1,
        trialInterval: 'day',
        trialIntervalCount: 14,
      });
    });

    it('gives a product away where freeProduct says so', async () => {
      const { body } = await create({ price: 0, freeProduct: true });
      expect(body.data.offer).toMatchObject({ price: 0, freeProduct: true });
    });

    it('answers externalId as internalId', async () => {
      expect((await create({ externalId: 'sku-2' })).body.data.offer.internalId).toBe('sku-2');
    });

    it('shows the file to download', async () => {
      await app.service.db
        .insertInto('files')
        .values({
          ...store.scope,
          id: NOBODY,
          fileName: 'rocket.zip',
          sizeBytes: 4096,
          contentType: 'application/zip',
          purpose: 'download',
          createdAt: 1,
        })
        .execute();
      const { body } = await create({ downloadFileId: NOBODY, downloadDescription: 'For Linux' });
      expect(body.data.offer.download).toEqual({
        fileName: 'rocket.zip',
        size: 4096,
        type: 'application/zip',
        description: 'For Linux',
      });
      const cleared = await store.patch(`/v0/offers/${body.data.offer.id}/update`, { downloadFileId: null });
      expect(cleared.body.data.offer.download).toBeNull();
    });

    it('makes one offer for one Idempotency-Key', async () => {
      const send = () =>
        store.post(
          '/v0/offers/create',
          { productId, price: 1, currency: 'EUR' },
          { headers: { 'idempotency-key': 'offer-once' } },
        );
      const first = await send();
      const second = await send();
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect(second.body).toEqual(first.body);
    });
  });

  describe('400', () => {
    it.each([
      ['a fraction', { price: 100.5 }],
      ['a text', { price: '100' }],
      ['a negative price', { price: -1 }],
      ['no price', { price: undefined }],
      ['a limit of 0', { limit: 0 }],
      ['an unknown field', { colour: 'red' }],
      ['null where a value is needed', { status: null }],
      ['an empty region', { region: '' }],
      ['an interval count of 0', { recurringIntervalCount: 0 }],
      ['an internalId and another externalId', { internalId: 'a', externalId: 'b' }],
      ['a sign that the store cannot hold', { name: 'a\u0000b' }],
    ])('refuses %s', async (_name, fields) => {
      await expectRefusal(create(fields), 400, 'invalid_input');
    });

    it('refuses a product, variant or file that the store does not have', async () => {
      const elsewhere = await makeProduct(app.other);
      const other = await makeProduct(store);
      const variant = await store.post(`/v0/products/${other}/variants/add`, { name: 'Not of this product' });
      await expectRefusal(create({ productId: NOBODY.replace('9', '8') }), 400, 'unknown_reference');
      await expectRefusal(create({ productId: elsewhere }), 400, 'unknown_reference');
      await expectRefusal(create({ variantId: variant.body.data.variant.id }), 400, 'unknown_reference');
      await expectRefusal(create({ downloadFileId: elsewhere }), 400, 'unknown_reference');
    });

    it('refuses a price of 0 without freeProduct and freeProduct with a price', async () => {
      await expectRefusal(create({ price: 0 }), 400, 'free_product_price');
      await expectRefusal(create({ freeProduct: true }), 400, 'free_product_price');
    });

    it('refuses intervals outside a Subscription product', async () => {
      await expectRefusal(create({ recurringInterval: 'month' }), 400, 'recurring_interval_forbidden');
      await expectRefusal(create({ trialIntervalCount: 3 }), 400, 'recurring_interval_forbidden');
    });

    it('refuses a Subscription offer without a whole interval, with half a trial, or for free', async () => {
      const club = await makeProduct(store, { type: 'Subscription' });
      const plan = { productId: club, recurringInterval: 'month', recurringIntervalCount: 1 };
      await expectRefusal(create({ productId: club }), 400, 'recurring_interval_required');
      await expectRefusal(
        create({ ...plan, recurringIntervalCount: null }),
        400,
        'recurring_interval_required',
      );
      await expectRefusal(create({ ...plan, trialInterval: 'day' }), 400, 'invalid_input');
      await expectRefusal(create({ ...plan, price: 0, freeProduct: true }), 400, 'free_subscription');
      await expectRefusal(create({ ...plan, price: 0 }), 400, 'free_product_price');
    });

    it('names the field that does not go with the others', async () => {
      const club = await makeProduct(store, { type: 'Subscription' });
      const plan = { productId: club, recurringInterval: 'month', recurringIntervalCount: 1 };
      const ofPlans = 'is of offers of a Subscription product alone';
      for (const [given, path, message] of [
        [{ price: 0 }, 'freeProduct', 'is required for a price of 0'],
        [{ freeProduct: true }, 'price', 'must be 0 for a free product'],
        [{ recurringInterval: 'month' }, 'recurringInterval', ofPlans],
        [{ trialIntervalCount: 3 }, 'trialIntervalCount', ofPlans],
        [{ ...plan, price: 0 }, 'price', 'must be above 0'],
        [
          { ...plan, price: 0, freeProduct: true },
          'freeProduct',
          'is not possible on a Subscription product',
        ],
      ] as const) {
        const { body } = await create(given);
        expect(body.error.details).toEqual([{ path, message }]);
      }
    });

    it('names the part of an interval that a Subscription offer lacks', async () => {
      const club = await makeProduct(store, { type: 'Subscription' });
      for (const [given, path] of [
        [{}, 'recurringInterval'],
        [{ recurringInterval: 'month', recurringIntervalCount: null }, 'recurringIntervalCount'],
      ] as const) {
        const { body } = await create({ productId: club, ...given });
        expect(body.error.details).toEqual([{ path, message: 'is required' }]);
      }
    });

    it('refuses another currency than the first offer had, in each store by itself', async () => {
      const { status, body } = await create({ currency: 'USD' });
      expect({ status, ...body.error }).toMatchObject({
        status: 400,
        code: 'offer_currency_mismatch',
        message: 'currency must be EUR, in which the store sells',
        details: [{ path: 'currency', message: 'must be EUR' }],
      });
      const live = await makeProduct(app.live);
      await expectRefusal(create({ productId: live, currency: undefined }, app.live), 400, 'invalid_input');
      expect((await create({ productId: live, currency: 'USD' }, app.live)).status).toBe(200);
      await expectRefusal(create({ productId: live }, app.live), 400, 'offer_currency_mismatch');
    });

    it('lets one of two first offers at once decide on the currency', async () => {
      const first = await makeProduct(app.other);
      const answers = await Promise.all(
        ['CHF', 'SEK'].map((currency) => create({ productId: first, currency }, app.other)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    });
  });

  it('401: refuses a write without the secret key', async () => {
    const body = { productId, price: 1, currency: 'EUR' };
    await expectRefusal(
      store.post('/v0/offers/create', body, { keys: 'public' }),
      401,
      'secret_key_required',
    );
  });

  it('409: refuses a new offer of an archived product or variant', async () => {
    const old = await makeProduct(store);
    const variant = await store.post(`/v0/products/${old}/variants/add`, { name: 'Old' });
    const variantId = variant.body.data.variant.id;
    await store.patch(`/v0/products/${old}/variants/${variantId}/archive`, { id: variantId });
    await expectRefusal(create({ productId: old, variantId }), 409, 'archived');
    await store.patch(`/v0/products/${old}/archive`);
    await expectRefusal(create({ productId: old }), 409, 'archived');
  });
});

describe('GET /v0/offers/:offerId', () => {
  it('200: adds the product, the variant and the number of keys', async () => {
    const variant = await store.post(`/v0/products/${productId}/variants/add`, { name: 'Gold' });
    const id = await makeOffer(store, { productId, variantId: variant.body.data.variant.id });
    await store.post(`/v0/offers/${id}/keys/add`, { keys: ['one', 'two'] });
    const { body } = await store.get(`/v0/offers/${id}`);
    expect(body.data.offer).toMatchObject({
      product: { object: 'product', id: productId, type: 'SoftwareKey', internalId: null, name: 'Rocket' },
      variant: { object: 'variant', name: 'Gold', productId },
      keys: { available: 2, reserved: 0, sold: 0 },
    });
    const plain = await store.get(`/v0/offers/${await makeOffer(store)}`);
    expect(plain.body.data.offer).toMatchObject({
      variant: null,
      keys: { available: 0, reserved: 0, sold: 0 },
    });
  });

  it('404: knows no offer of another workspace or mode', async () => {
    const id = await makeOffer(store);
    for (const foreign of [app.other, app.live]) {
      await expectRefusal(foreign.get(`/v0/offers/${id}`), 404, 'not_found');
      await expectRefusal(foreign.patch(`/v0/offers/${id}/update`, { price: 1 }), 404, 'not_found');
      await expectRefusal(foreign.patch(`/v0/offers/${id}/archive`), 404, 'not_found');
    }
  });
});

describe('hasDiscount', () => {
  it('is true only while a sale of this offer runs', async () => {
    const [onSale, excluded, later] = [
      await makeOffer(store),
      await makeOffer(store),
      await makeOffer(store),
    ];
    await makeSale({ includedOffers: [onSale, excluded], excludedOffers: [excluded] });
    await makeSale({ includedOffers: [later], validFrom: 4_000_000_000_000 });
    const shown = async (id: string) => (await store.get(`/v0/offers/${id}`)).body.data.offer.hasDiscount;
    expect(await shown(onSale)).toBe(true);
    expect(await shown(excluded)).toBe(false);
    expect(await shown(later)).toBe(false);
  });
});

describe('PATCH /v0/offers/:offerId/update', () => {
  it('200: changes what is named, clears what is null and leaves the rest', async () => {
    const id = await makeOffer(store, { name: 'Old', description: 'Kept', originalPrice: 5000, limit: 3 });
    const changes = { id, price: 900, name: null, originalPrice: null, limit: null, currency: 'EUR' };
    const { body } = await store.patch(`/v0/offers/${id}/update`, changes);
    expect(body.data.offer).toMatchObject({ ...changes, description: 'Kept', status: 'ACTIVE' });
    expect((await store.get(`/v0/offers/${id}`)).body.data.offer).toMatchObject(body.data.offer);
  });

  it('200: turns an offer into a free one and back when price and freeProduct change together', async () => {
    const id = await makeOffer(store);
    const path = `/v0/offers/${id}/update`;
    expect((await store.patch(path, { price: 0, freeProduct: true })).status).toBe(200);
    expect((await store.patch(path, { price: 100, freeProduct: false })).status).toBe(200);
    await expectRefusal(store.patch(path, { price: 0 }), 400, 'free_product_price');
  });

  it('200: lets an offer keep its archived variant', async () => {
    const variant = await store.post(`/v0/products/${productId}/variants/add`, { name: 'Retired' });
    const variantId = variant.body.data.variant.id;
    const id = await makeOffer(store, { productId, variantId });
    await store.patch(`/v0/products/${productId}/variants/${variantId}/archive`, { id: variantId });
    expect((await store.patch(`/v0/offers/${id}/update`, { variantId, price: 5 })).status).toBe(200);
  });

  it('200: writes an audit row with the offer before and after', async () => {
    const id = await makeOffer(store, { price: 700 });
    await store.patch(`/v0/offers/${id}/update`, { price: 800 });
    const row = await app.service.db
      .selectFrom('auditLog')
      .selectAll()
      .where('objectId', '=', id)
      .where('operation', '=', 'updateOffer')
      .executeTakeFirstOrThrow();
    expect(row.before).toMatchObject({ id, price: 700 });
    expect(row.after).toMatchObject({ offer: { id, price: 800 } });
  });

  it('400: refuses what would break the rules of the whole, another product and another id', async () => {
    const id = await makePlanOffer(store);
    const path = `/v0/offers/${id}/update`;
    await expectRefusal(store.patch(path, { recurringInterval: null }), 400, 'recurring_interval_required');
    await expectRefusal(store.patch(path, { trialInterval: 'day' }), 400, 'invalid_input');
    await expectRefusal(store.patch(path, { productId }), 400, 'invalid_input');
    await expectRefusal(store.patch(path, { price: null }), 400, 'invalid_input');
    await expectRefusal(store.patch(path, { id: NOBODY }), 400, 'invalid_input');
    await expectRefusal(store.patch(path, { currency: 'USD' }), 400, 'offer_currency_mismatch');
    await expectRefusal(store.patch(path, { variantId: NOBODY }), 400, 'unknown_reference');
  });

  it('404: knows no offer with this id', async () => {
    await expectRefusal(store.patch(`/v0/offers/${NOBODY}/update`, { price: 1 }), 404, 'not_found');
  });
});

describe('PATCH /v0/offers/:offerId/archive and /unarchive', () => {
  it('200: keeps the first moment of archiving, and takes the offer back', async () => {
    const id = await makeOffer(store);
    const first = await store.patch(`/v0/offers/${id}/archive`, { id });
    const again = await store.patch(`/v0/offers/${id}/archive`);
    expect(first.body.data.offer.archivedAt).toBeGreaterThan(0);
    expect(again.body.data.offer.archivedAt).toBe(first.body.data.offer.archivedAt);
    expect((await store.patch(`/v0/offers/${id}/unarchive`)).body.data.offer.archivedAt).toBeNull();
  });
});
