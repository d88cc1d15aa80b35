import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, openPage } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

const choosable = (fields: Record<string, unknown> = {}) =>
  makeOffer(app.test, { price: 100, mutableQuantity: true, ...fields });

async function makeKeyed(count: number, fields: Record<string, unknown> = {}): Promise<string> {
  const offerId = await choosable(fields);
  const productKeys = Array.from({ length: count }, (_, index) => `KEY-${offerId}-${index}`);
  await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys });
  return offerId;
}

/** What a quote and then a submit of so many come to: 200 or the refusal's code. */
async function tryBuying(offerId: string, quantity: number): Promise<unknown[]> {
  const page = await openPage(app, `/checkout/${offerId}`);
  const answers = [await page.quote({ quantity }), await page.submit({ quantity })];
  return answers.map(({ status, body }) => (status === 200 ? 200 : body.error.code));
}

const ABOVE = ['quantity_above_limit', 'quantity_above_limit'];

describe('the quantity that a buyer chooses', () => {
  it('Y18 ends at 10 where stock or a limit can run out, and nowhere else', async () => {
    const keyed = await makeKeyed(30);
    const limited = await choosable({ limit: 1000 });
    expect(await tryBuying(keyed, 11)).toEqual(ABOVE);
    expect(await tryBuying(limited, 11)).toEqual(ABOVE);
    expect(await tryBuying(keyed, 10)).toEqual([200, 200]);
    expect(await tryBuying(await choosable(), 500)).toEqual([200, 200]);
    const { offer } = (await app.test.get(`/v0/offers/${keyed}`)).body.data;
    expect([offer.maxPerOrder, offer.keys]).toEqual([null, { available: 20, reserved: 0, sold: 10 }]);
  });

  it('Y18 ends where the merchant says', async () => {
    expect(await tryBuying(await makeKeyed(20, { maxPerOrder: 15 }), 15)).toEqual([200, 200]);
    expect(await tryBuying(await choosable({ maxPerOrder: 2 }), 3)).toEqual(ABOVE);
    const offerId = await choosable({ maxPerOrder: 2 });
    const { body } = await app.test.patch(`/v0/offers/${offerId}/update`, { maxPerOrder: 4 });
    expect(body.data.offer.maxPerOrder).toBe(4);
    const page = await openPage(app, `/checkout/${offerId}`);
    expect((await page.show()).body.data.checkout.items[0].maxQuantity).toBe(4);
  });

  it('Y18 holds to no bound what the merchant set: by an element or over the API', async () => {
    const keyed = await makeKeyed(40);
    const element = await app.test.post('/v0/elements/checkout/create', { offersIds: Array(12).fill(keyed) });
    const page = await openPage(app, `/checkout-element/${element.body.data.checkoutElement.id}`);
    expect((await page.submit()).body.data.checkout.status).toBe('paid');
    expect(await buy(app.test, { offersIds: [keyed], quantity: 12 })).toMatchObject({ status: 200 });
  });

  it('Y18 passes over what a link asks for above the bound', async () => {
    const page = await openPage(app, `/checkout/${await makeKeyed(30)}?svc-quantity=25`);
    expect((await page.look()).items[0]?.quantity).toBe(1);
  });
});
