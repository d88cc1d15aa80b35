import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { makeOffer } from '../../../test/support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('reserving keys', () => {
  it('gives a buyer as many keys as they paid for, whatever the size of the stock', async () => {
    const offerId = await makeOffer(app.test);
    const productKeys = Array.from({ length: 200 }, (_, index) => `KEY-${index}`);
    await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys, fileName: 'keys.txt' });
    const body = {
      offersIds: [offerId],
      userEmail: 'ada@example.com',
      billingDetails: { countryCode: 'DE' },
    };
    for (const quantity of [1, 3]) {
      const { order } = (await app.test.post('/v0/test-purchases/create', { ...body, quantity })).body.data;
      const { items } = (await app.test.get(`/v0/orders/${order.id}`)).body.data;
      expect(items[0].keys).toHaveLength(quantity);
    }
  });
});
