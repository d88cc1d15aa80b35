/** What is offered to whoever is about to cancel in the portal. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@example.com';
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());

it.each([
  [
    { amount: 12.5, amountType: 'percentage', duration: 'repeating', durationIntervals: 3 },
    'It takes 12.5% off each of your next 3 payments.',
  ],
  [{ amount: 250, amountType: 'fixed', duration: 'once' }, 'It takes €2.50 off your next payment.'],
  [
    { amount: 20, amountType: 'percentage', duration: 'forever' },
    'It takes 20% off every payment from the next one on.',
  ],
])('S20 says what %j takes off, beside its name', async (terms, text) => {
  const offersIds = [await makePlanOffer(shop.store, { price: 1000 })];
  const discountCode = `STAY${terms.amount * 10}`;
  const made = await shop.store.post('/v0/discounts/create', {
    ...{ type: 'code', name: 'Summer campaign', discountCode, ...terms },
  });
  await shop.changeSettings({ portal: { stayDiscountId: made.body.data.discount.id } });
  const { body } = await buy(shop.store, { offersIds, userEmail: EMAIL });
  const { id: subscriptionId } = body.data.subscription;
  const session = await shop.store.post('/v0/portal-sessions/create', {
    ...{ email: EMAIL, flow: 'subscription_cancel', subscriptionId },
  });
  const buyer = await shop.openBuyer();
  const page = await buyer.newTab();
  await page.goto(session.body.data.portalSession.url);
  await page.getByRole('button', { name: 'Stay with Summer campaign' }).waitFor();
  expect(await page.locator('.portal-stay').innerText()).toContain(text);
  expect(buyer.problems).toEqual([]);
});
