/** The page of a declined order's payment: what was ordered is shown and paid by another card. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { findViolations, keepGrave } from './support/axe.ts';
import { DESKTOP, PHONE } from './support/browser.ts';
import { CARDS, fillCard, payButton } from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(async () => {
  if (!shop) return;
  await expectInvariants(shop.app);
  await shop.close();
});

const paid = (page: Page) => page.getByRole('heading', { level: 1, name: 'This is paid' });

/** The page of an order that the API has made and a card has declined. */
async function makeDeclined(body: Record<string, unknown>): Promise<string> {
  const asked = { card: CARDS.declined, userEmail: 'declined@example.com', ...body };
  return (await buy(shop.store, asked)).body.data.payment.payUrl;
}

describe('the page of a declined order', () => {
  it.each([
    ['a desktop, light', { viewport: DESKTOP, colorScheme: 'light' }],
    ['a phone, dark', { viewport: PHONE, colorScheme: 'dark' }],
  ] as const)('is paid there, for what was ordered, on %s', async (_name, options) => {
    const offerId = await makeOffer(shop.store, { name: 'Nebula', price: 1000 });
    const buyer = await shop.openBuyer(options);
    const page = await buyer.newTab();
    await page.goto(await makeDeclined({ offersIds: [offerId], quantity: 3 }));
    await page.getByRole('alert').getByText('The card was declined.').waitFor();
    const items = page.getByRole('list', { name: 'Items' }).getByRole('listitem');
    expect(await items.allTextContents()).toEqual(['Nebula3 ×€30.00']);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await findGraveFindings(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(options.viewport.width);
    await fillCard(page);
    await payButton(page).click();
    await paid(page).waitFor();
    expect(buyer.problems).toEqual([]);
    await buyer.context.close();
  });

  it('is paid another way while the bank asks', async () => {
    const buyer = await shop.openBuyer();
    const page = await buyer.newTab();
    const address = await makeDeclined({ offersIds: [await makeOffer(shop.store, { price: 1000 })] });
    await page.goto(address);
    await fillCard(page, { card: CARDS.authenticates });
    await payButton(page).click();
    await page.getByRole('button', { name: 'Complete authentication' }).waitFor();
    await page.goto(address);
    await page.getByRole('button', { name: 'Pay another way' }).click();
    await fillCard(page);
    await payButton(page).click();
    await paid(page).waitFor();
    expect(buyer.problems).toEqual([]);
    await buyer.context.close();
  });

  it('asks again where a code is gone meanwhile, and says what a subscription will cost', async () => {
    const offerId = await makePlanOffer(shop.store, {
      name: 'Cloud',
      price: 1000,
      recurringInterval: 'month',
    });
    const code = { type: 'code', discountCode: 'ONCE', amount: 10, amountType: 'percentage' };
    const limits = { purchaseLimit: 1, includesAllOffers: true };
    await shop.store.post('/v0/discounts/create', { ...code, ...limits });
    const asked = { offersIds: [offerId], discountCode: 'ONCE' };
    const buyer = await shop.openBuyer();
    const page = await buyer.newTab();
    await page.goto(await makeDeclined(asked));
    await page.getByText(/^Renews at €11.90 every month from/).waitFor();
    await buy(shop.store, { ...asked, userEmail: 'quick@example.com' });
    await fillCard(page);
    await page.getByRole('button', { name: 'Pay €10.71' }).click();
    await page.getByRole('alert').getByText('The total has changed from €10.71 to €11.90.').waitFor();
    await page.getByRole('button', { name: 'Pay €11.90' }).click();
    await paid(page).waitFor();
    expect(buyer.problems).toEqual([]);
    await buyer.context.close();
  });
});

describe('an order that was put right', () => {
  it('is asked for by what it says now, wherever its buyer was', async () => {
    const offerId = await makeOffer(shop.store, { name: 'Nebula', price: 1000 });
    const buyer = await shop.openBuyer({ viewport: PHONE });
    const page = await buyer.newTab();
    await page.goto(`${shop.origin}/checkout/${offerId}`);
    await page.getByRole('textbox', { name: 'Email' }).fill('put-right@example.com');
    await page.getByRole('combobox', { name: 'Country' }).selectOption('DE');
    await fillCard(page, { card: CARDS.declined });
    await payButton(page).click();
    await page.getByRole('alert').getByText('The card was declined.').waitFor();
    const { body } = await shop.store.get('/v0/orders/list', { query: { take: '1' } });
    const putRight = (value: number) =>
      shop.store.patch(`/v0/orders/${body.data.orders[0].id}/update`, { value, tax: 0 });

    // The page that shows the old price presses on, and is led to the one that shows the new.
    await putRight(500);
    await fillCard(page);
    await payButton(page).click();
    await page.waitForURL(/\/pay\//);
    await page.getByText('Discount').waitFor();
    expect(await findGraveFindings(page)).toEqual([]);
    await putRight(700);
    await fillCard(page);
    await page.getByRole('button', { name: 'Pay €5.00' }).click();
    await page.getByRole('alert').getByText('The total has changed from €5.00 to €7.00.').waitFor();
    await page.getByRole('button', { name: 'Pay €7.00' }).click();
    await paid(page).waitFor();
    expect(buyer.problems).toEqual([]);
    await buyer.context.close();
  });
});

async function findGraveFindings(page: Page) {
  return keepGrave(await findViolations(page)).map(({ id }) => id);
}
