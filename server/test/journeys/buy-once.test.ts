import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function makeOffer(fields: Record<string, unknown> = {}, product: Record<string, unknown> = {}) {
  const created = await app.test.post('/v0/products/create', { name: 'Nebula', type: 'Game', ...product });
  expect(created.text).toContain('success');
  const { id } = created.body.data.product;
  const offer = await app.test.post('/v0/offers/create', {
    productId: id,
    price: 4900,
    currency: 'USD',
    ...fields,
  });
  expect(offer.text).toContain('success');
  return offer.body.data.offer.id as string;
}

const buy = (body: Record<string, unknown>) =>
  app.test.post('/v0/test-purchases/create', {
    userEmail: 'ada@example.com',
    billingDetails: { countryCode: 'DE' },
    ...body,
  });

describe('a one-time purchase', () => {
  it('is PAID in the answer, with tax, fee, number and charge', async () => {
    const offerId = await makeOffer();
    const answer = await buy({ offersIds: [offerId] });
    expect(answer.text).toContain('success');
    const { order, payment } = answer.body.data;
    expect(order).toMatchObject({
      status: 'PAID',
      value: 5831,
      tax: 931,
      fee: 169,
      currency: 'USD',
      country: 'DE',
    });
    expect(payment).toMatchObject({ status: 'PAID', value: 5831, number: order.number, payUrl: null });
    expect(payment.invoiceNumber).toMatch(/^TEST-INV-\d{4}-000001$/);
    expect(payment.charges).toHaveLength(1);
    const read = await app.test.get(`/v0/orders/%23${order.number}`);
    expect(read.body.data.order).toEqual(order);
    expect(read.body.data.items[0]).toMatchObject({ value: 4900, quantity: 1, offer: { id: offerId } });
  });
});

it('leaves nothing broken that must always hold', () => expectInvariants(app));
