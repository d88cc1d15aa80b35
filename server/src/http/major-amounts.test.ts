import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type Keys, type TestApp } from '../../test/support/harness.ts';
import { makePlanOffer, makeProduct } from '../../test/support/make-catalogue.ts';
import { inTransaction } from '../db/transaction.ts';
import { issueKeyPair } from '../flows/workspaces/issue-key-pair.ts';

let app: TestApp;
let keys: Keys;
let productId: string;
let planId: string;
beforeAll(async () => {
  app = await createTestApp();
  productId = await makeProduct(app.test);
  planId = await makePlanOffer(app.test);
  keys = await inTransaction(app.service.db, (tx) =>
    issueKeyPair(tx, app.test.scope, {
      ids: app.service.ids,
      terms: { name: 'Major', scopes: null, readRequiresSecret: false, amounts: 'major', nowMs: 1 },
    }),
  );
});
afterAll(() => app.close());

const post = (path: string, body: unknown) => app.test.post(path, body, { keys });
const patch = (path: string, body: unknown) => app.test.patch(path, body, { keys });
const offer = (fields: object) => post('/v0/offers/create', { productId, price: 1, ...fields });

describe('a key pair made with major amounts', () => {
  it.each([
    [19.99, 1999],
    [20, 2000],
    [0.1, 10],
    [1.1, 110],
    [4.35, 435],
    [1.005e3, 100_500],
    [9_007_199_254_740.99, 900_719_925_474_099],
  ])('means %s, and %i is stored and answered', async (price, minor) => {
    const { body, headers } = await offer({ price, originalPrice: price });
    expect(body.data.offer).toMatchObject({ price: minor, originalPrice: minor });
    expect(headers['x-svc-amounts']).toBe('minor');
  });

  it.each([19.999, 1e-7, 1e21, 90071992547409.92, -1, '19.99'])('is refused %s', async (price) => {
    await expectRefusal(offer({ price }), 400, 'invalid_input');
  });

  it('is told of an amount in quotes what a price is to it', async () => {
    const { body } = await offer({ price: '19.99' });
    expect(body.error.details).toEqual([
      { path: 'price', message: 'must be a number with at most 2 decimals' },
    ]);
  });

  it.each([
    [70_368_744_177_663.99, 7_036_874_417_766_399],
    [90_071_992_547_409, 9_007_199_254_740_900],
  ])('means %s to the cent', async (price, minor) => {
    expect((await offer({ price })).body.data.offer.price).toBe(minor);
  });

  // In binary the last is 90071992547409.90625: what was written would be stored a cent lower.
  it.each([70_368_744_177_664.02, 90_071_992_547_409.91])(
    'is refused %s, which has no cents of its own',
    async (price) => {
      const { body } = await offer({ price });
      expect(body.error.details).toEqual([
        { path: 'price', message: 'is a number too large to be read exactly' },
      ]);
    },
  );

  it('changes prices of offers, of inline offers and of lines, in the currency of each', async () => {
    const made = await offer({ price: 5 });
    const changed = await patch(`/v0/offers/${made.body.data.offer.id}/update`, { price: 5.5 });
    expect(changed.body.data.offer.price).toBe(550);
    const product = await post('/v0/products/create', {
      type: 'DigitalDownload',
      name: 'Inline',
      offers: [{ price: 7.25 }],
    });
    expect(product.body.data.offers[0].price).toBe(725);
    const tax = await post('/v0/tax/calculate', {
      items: [{ productId, unitPrice: 12.5 }],
      customer: { countryCode: 'HK' },
    });
    expect(tax.body.data.tax.subtotal).toBe(1250);
    const refused = await post('/v0/tax/calculate', {
      items: [{ productId, unitPrice: 12.555 }],
      customer: { countryCode: 'HK' },
    });
    expect(refused.body.error.details).toEqual([
      { path: 'items.0.unitPrice', message: 'must be a number with at most 2 decimals' },
    ]);
    const shop = app.other;
    const yen = await inTransaction(app.service.db, (tx) =>
      issueKeyPair(tx, shop.scope, {
        ids: app.service.ids,
        terms: { name: 'Yen', scopes: null, readRequiresSecret: false, amounts: 'major', nowMs: 1 },
      }),
    );
    const own = await makeProduct(shop);
    const sold = { productId: own, price: 980, currency: 'JPY' };
    const inYen = await shop.post('/v0/offers/create', sold, { keys: yen });
    expect(inYen.body.data.offer.price).toBe(980);
    const half = shop.post('/v0/offers/create', { ...sold, price: 980.5 }, { keys: yen });
    await expectRefusal(half, 400, 'invalid_input');
  });

  it('means fixed discounts, and percentages stay what they are', async () => {
    const discount = { type: 'sale', status: 'inactive' };
    const fixed = await post('/v0/discounts/create', { ...discount, amountType: 'fixed', amount: 2.5 });
    expect(fixed.body.data.discount.amount).toBe(250);
    const { id } = fixed.body.data.discount;
    const changed = await patch(`/v0/discounts/${id}/update`, { amount: 3.75 });
    expect(changed.body.data.discount.amount).toBe(375);
    const part = await post('/v0/discounts/create', { ...discount, amountType: 'percentage', amount: 12.5 });
    expect(part.body.data.discount.amount).toBe(12.5);
    const lower = await patch(`/v0/discounts/${part.body.data.discount.id}/update`, { amount: 7.25 });
    expect(lower.body.data.discount.amount).toBe(7.25);
    await expectRefusal(patch(`/v0/discounts/${randomUUID()}/update`, { amount: 1 }), 404, 'not_found');
  });

  it('means the lines of subscriptions and charges, and no refund, correction or filter', async () => {
    const user = await post('/v0/users/create', {
      email: 'major@example.com',
      billingDetails: { countryCode: 'HK' },
      paymentData: { sandboxCustomerId: 'card_4242424242424242' },
    });
    const userId = user.body.data.user.id;
    const items = [{ offerId: planId, unitPrice: 10.5 }];
    const { body } = await post('/v0/subscriptions/create', { userId, items });
    const { subscription, order } = body.data;
    expect(subscription.value).toBe(1050);
    const path = `/v0/subscriptions/${subscription.id}`;
    const charged = await post(`${path}/charge`, { amount: 4.99, currency: 'eur', description: 'Set-up' });
    expect(charged.body.data.payment.value).toBe(499);
    const listed = await post(`${path}/charge`, { items: [{ name: 'Hour', value: 80.01, currency: 'EUR' }] });
    expect(listed.body.data.payment.value).toBe(8001);
    const shown = await post(`${path}/preview-update`, { items: [{ offerId: planId, price: 21 }] });
    expect(shown.headers['x-svc-amounts']).toBe('minor');
    expect(shown.body.data.preview.nextPayment.lines[0].value).toBe(2100);
    const refunded = await post(`/v0/orders/${order.id}/refunds`, { amount: 50 });
    expect(refunded.body.data.refund.amount).toBe(50);
    const found = await app.test.get('/v0/orders/list?valueFrom=1050', { keys });
    expect(found.body.data.orders).toHaveLength(1);
    await expectRefusal(post(`/v0/orders/${order.id}/refunds`, { amount: 0.5 }), 400, 'invalid_input');
  });

  it('leaves other pairs alone', async () => {
    const plain = await app.test.post('/v0/offers/create', { productId, price: 1999 });
    expect(plain.body.data.offer.price).toBe(1999);
    expect(plain.headers['x-svc-amounts']).toBeUndefined();
    await expectRefusal(
      app.test.post('/v0/offers/create', { productId, price: 19.99 }),
      400,
      'invalid_input',
    );
  });
});
