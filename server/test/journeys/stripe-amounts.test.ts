/** What Stripe would not charge is refused before anything is ordered: at the quote, a purchase and an extra charge. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, openPage } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp } from '../support/stripe-app.ts';

let app: TestApp;
let processorId: string;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, processorId, close } = await openStripeApp());
});
afterEach(() => expectInvariants(app));
afterAll(() => close?.());

const orders = async () => (await app.test.get('/v0/orders/list')).body.data.orders.length;
const offerOf = (price: number, currency: string) =>
  makeOffer(app.test, { price, currency, taxBehavior: 'inclusive' });

describe('P07 an amount that Stripe does not take', () => {
  it('is refused by a purchase, and nothing is ordered', async () => {
    const before = await orders();
    const bought = { offersIds: [await offerOf(49, 'USD')], processorId, paymentMethod: 'pm_card_visa' };
    await expectRefusal(buy(app.test, bought), 400, 'amount_below_minimum');
    expect(await orders()).toBe(before);
  });

  it('is refused by the quote of a page, which is not opened in vain', async () => {
    await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
    const page = await openPage(app, `/checkout/${await offerOf(49, 'USD')}`);
    const { status, body } = await page.quote();
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'amount_below_minimum' });
    expect(body.error.details).toEqual([{ path: 'amount', message: expect.stringContaining('50') }]);
    const enough = await openPage(app, `/checkout/${await offerOf(50, 'USD')}`);
    expect((await enough.quote()).status).toBe(200);
    await app.test.patch('/v0/settings/update', { testCheckout: 'sandbox' });
    const sandboxed = await openPage(app, `/checkout/${await offerOf(49, 'USD')}`);
    expect((await sandboxed.quote()).status).toBe(200);
  });

  it('is refused by an extra charge', async () => {
    const planId = await makePlanOffer(app.test, { price: 1999, currency: 'USD', taxBehavior: 'inclusive' });
    const bought = { offersIds: [planId], processorId, paymentMethod: 'pm_card_visa' };
    const { id } = (await buy(app.test, bought)).body.data.subscription;
    const charge = (unitPrice: number) =>
      app.test.post(`/v0/subscriptions/${id}/charge`, {
        items: [{ name: 'Extra', unitPrice, currency: 'USD' }],
      });
    await expectRefusal(charge(30), 400, 'amount_below_minimum');
    expect((await charge(50)).body.data.payment.status).toBe('PAID');
  });

  it('is refused by a subscription of somebody whose method is kept', async () => {
    const before = await orders();
    const planOf = (price: number) =>
      makePlanOffer(app.test, { price, currency: 'USD', taxBehavior: 'inclusive' });
    const bought = { offersIds: [await planOf(1999)], processorId, paymentMethod: 'pm_card_visa' };
    const userEmail = 'kept@example.com';
    expect((await buy(app.test, { ...bought, userEmail })).status).toBe(200);
    const create = async (price: number) =>
      app.test.post('/v0/subscriptions/create', { userEmail, items: [{ offerId: await planOf(price) }] });
    await expectRefusal(create(49), 400, 'amount_below_minimum');
    expect(await orders()).toBe(before + 1);
    expect((await create(50)).status).toBe(200);
  });

  it('is refused where the currency has no such coin there', async () => {
    // A store sells in one currency.
    const dinars = await openStripeApp();
    const offerId = await makeOffer(dinars.app.test, {
      price: 5_005,
      currency: 'KWD',
      taxBehavior: 'inclusive',
    });
    const bought = { processorId: dinars.processorId, paymentMethod: 'pm_card_visa' };
    await expectRefusal(
      buy(dinars.app.test, { offersIds: [offerId], ...bought }),
      400,
      'amount_not_chargeable',
    );
    await dinars.close();
  });
});
