/** The quantity of a subscription, as it is typed in the portal. */
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

it('S16 is emptied and typed anew, and the price is that of what stands there', async () => {
  await shop.changeSettings({ portal: { quantityChange: true } });
  const offersIds = [await makePlanOffer(shop.store, { price: 1000 })];
  const { body } = await buy(shop.store, { offersIds, userEmail: EMAIL });
  const { id: subscriptionId } = body.data.subscription;
  const session = await shop.store.post('/v0/portal-sessions/create', {
    ...{ email: EMAIL, flow: 'subscription_change', subscriptionId },
  });
  const buyer = await shop.openBuyer();
  const page = await buyer.newTab();
  await page.goto(session.body.data.portalSession.url);
  const quantity = page.getByRole('spinbutton', { name: 'Quantity' });
  await quantity.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  expect(await quantity.inputValue()).toBe('');
  await page.keyboard.type('12');
  expect(await quantity.inputValue()).toBe('12');
  await page.getByRole('button', { name: /^Pay €130\.90 and change plan$/ }).waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  // Left empty it is what it was.
  await page.keyboard.press('Tab');
  expect(await quantity.inputValue()).toBe('12');
  expect(buyer.problems).toEqual([]);
});
