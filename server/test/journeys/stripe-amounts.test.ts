/** What Stripe would not charge is refused before anything is ordered: at the quote, a purchase and an extra charge. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, openPage } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import type { StripeAccount } from '../support/stripe-double.ts';

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

describe('P07 a processor that a test purchase names', () => {
  const update = async (routing: object) => {
    const { status, text } = await app.test.patch(`/v0/processors/${processorId}/update`, routing);
    expect(status, text).toBe(200);
  };

  it.each([
    [{ currencies: ['EUR'] }, { currencies: [] }, 'This processor takes no USD from DE.'],
    [{ countries: ['FR'] }, { countries: [] }, 'This processor takes no USD from DE.'],
  ])(
    'that is not meant for it is 409 and says so, and nothing is ordered: %j',
    async (narrow, wide, says) => {
      const bought = {
        ...{ offersIds: [await offerOf(1999, 'USD')], processorId, paymentMethod: 'pm_card_visa' },
        billingDetails: { countryCode: 'DE' },
      };
      const before = await orders();
      await update(narrow);
      const { status, body } = await buy(app.test, bought);
      await update(wide);
      expect([status, body.error]).toMatchObject([409, { code: 'processor_not_configured', message: says }]);
      expect(await orders()).toBe(before);
      expect((await buy(app.test, bought)).body.data?.payment.status).toBe('PAID');
    },
  );
});

it('P06 a test purchase that names a processor whose key was revoked is 409, and books nothing', async () => {
  const { double, account, ...shop } = await openStripeApp();
  try {
    const offerId = await makeOffer(shop.app.test, {
      price: 1999,
      currency: 'EUR',
      taxBehavior: 'inclusive',
    });
    const bought = { offersIds: [offerId], processorId: shop.processorId, paymentMethod: 'pm_card_visa' };
    const { secretKey, publishableKey } = await double.control<StripeAccount>(
      `POST /accounts/${account.id}/revoke`,
    );
    // Whoever finds it out has a row already, which waits.
    expect((await buy(shop.app.test, bought)).body.data.payment.status).toBe('PENDING');
    const shown = async () =>
      (await shop.app.test.get(`/v0/processors/${shop.processorId}`)).body.data.processor;
    await expect.poll(async () => (await shown()).health.state).toBe('broken');
    const { status, body } = await buy(shop.app.test, bought);
    expect([status, body.error.code]).toEqual([409, 'processor_not_configured']);
    expect((await shop.app.test.get('/v0/orders/list')).body.data.orders).toHaveLength(1);
    const credentials = { secretKey, publishableKey };
    await shop.app.test.post(`/v0/processors/${shop.processorId}/rotateCredentials`, { credentials });
    expect((await buy(shop.app.test, bought)).body.data.payment.status).toBe('PAID');
  } finally {
    await shop.close();
  }
});
