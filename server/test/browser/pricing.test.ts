/** Discounts and taxes as a buyer sees them. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeOffer } from '../support/make-catalogue.ts';
import type { Buyer } from './support/browser.ts';
import { choice, field, fillIn, pay, payButton, settlePrice, thanks } from './support/checkout.ts';
import { listOrders, openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let offerId: string;
let buyer: Buyer;
let page: Page;
beforeAll(async () => {
  shop = await openShop();
  await shop.changeSettings({ sellerCountry: 'DE' });
  offerId = await makeOffer(shop.store, { price: 10_000 });
  await makeDiscount(offerId, { type: 'code', discountCode: 'TEN', amount: 10 });
  await makeDiscount(offerId, { type: 'code', discountCode: 'OLD', amount: 50, status: 'inactive' });
});
afterAll(() => shop?.close());
beforeEach(async () => {
  buyer = await shop.openBuyer();
  page = await buyer.newTab();
  await page.goto(`${shop.origin}/checkout/${offerId}`);
});
afterEach(async () => {
  expect(buyer.problems).toEqual([]);
  await buyer.context.close();
});

function makeDiscount(offer: string, fields: Record<string, unknown>) {
  const body = { amountType: 'percentage', includedOffers: [offer], ...fields };
  return shop.store.post('/v0/discounts/create', body);
}

const apply = async (code: string) => {
  await field(page, 'Discount code').fill(code);
  await page.getByRole('button', { name: 'Apply' }).click();
};

describe('a discount code', () => {
  it('that is used up while the page is open is told at its field, beside the price that is left', async () => {
    await makeDiscount(offerId, { type: 'code', discountCode: 'ONCE', amount: 50, purchaseLimit: 1 });
    await fillIn(page, { country: 'US' });
    await field(page, 'Postal code').fill('97201');
    await apply('once');
    await page.getByText('ONCE applied: €50.00 off').waitFor();
    const other = { offersIds: [offerId], userEmail: 'other@example.com', discountCode: 'ONCE' };
    await shop.store.post('/v0/test-purchases/create', { ...other, billingDetails: { countryCode: 'DE' } });
    await pay(page);
    await page.getByRole('alert').getByText('This discount code has been used up.').waitFor();
    await settlePrice(page);
    expect(await payButton(page).textContent()).toBe('Pay €100.00');
    await page.locator('input[name=discountCode][aria-invalid=true]:focus').waitFor();
    expect(await page.getByText('ONCE applied').count()).toBe(0);
    await apply('');
    await pay(page);
    await thanks(page).waitFor();
  });

  it('lowers the total, and can be taken back', async () => {
    await apply('ten');
    await page.getByText('TEN applied: €10.00 off').waitFor();
    await settlePrice(page);
    expect(await payButton(page).textContent()).toBe('Pay €90.00');
    await page.getByRole('button', { name: 'Remove code TEN' }).click();
    await settlePrice(page);
    expect(await payButton(page).textContent()).toBe('Pay €100.00');
  });

  it.each([
    ['NOPE', 'This discount code does not exist.'],
    ['OLD', 'This discount code is not active.'],
  ])(
    '%s is refused with its own sentence, and nothing is sold at the full price unasked',
    async (code, text) => {
      await fillIn(page, { email: 'refused@example.com' });
      await apply(code);
      await page.getByText(text).waitFor();
      await pay(page);
      await page.getByRole('alert').waitFor();
      expect(await listOrders(shop, 'refused@example.com')).toEqual([]);
    },
  );

  it('gives way to a sale that saves more, and says so', async () => {
    const onSale = await makeOffer(shop.store, { price: 10_000 });
    await makeDiscount(onSale, { type: 'sale', name: 'Spring', amount: 30 });
    await makeDiscount(onSale, { type: 'code', discountCode: 'WEAK', amount: 5 });
    await page.goto(`${shop.origin}/checkout/${onSale}`);
    await apply('WEAK');
    await page.getByText('Spring: €30.00 off').waitFor();
    await page.getByText('Your code is valid, but the running sale saves you more').waitFor();
  });
});

describe('tax', () => {
  it('asks a buyer in the United States for postal code and state, and charges by them', async () => {
    await fillIn(page, { email: 'us@example.com', country: 'US' });
    await page.getByText('Choose your state').waitFor();
    await pay(page);
    await page.getByText('Enter your postal code.').waitFor();
    await field(page, 'Postal code').fill('98101');
    await choice(page, 'State').selectOption('WA');
    await settlePrice(page);
    await pay(page);
    await thanks(page).waitFor();
    const [order] = await listOrders(shop, 'us@example.com');
    expect(order).toMatchObject({ country: 'US', status: 'PAID' });
    expect(Number(order?.tax)).toBeGreaterThan(0);
  });

  it('leaves the tax to a company in another member state, and says so', async () => {
    await fillIn(page, { email: 'company@example.com', country: 'AT' });
    await page.getByText('VAT 20%').waitFor();
    await page.getByRole('checkbox', { name: "I'm buying as a business" }).check();
    await field(page, 'Company name').fill('Ada GmbH');
    await field(page, 'Tax number').fill('ATU13585627');
    await page.getByText('Reverse charge: your company accounts for the tax.').waitFor();
    await page.getByText('Valid', { exact: true }).waitFor();
    await payButton(page).click();
    await page.getByText('Enter your address.').waitFor();
    await field(page, 'Address').fill('Ring 1');
    await field(page, 'Postal code').fill('1010');
    await field(page, 'City').fill('Wien');
    await pay(page);
    await thanks(page).waitFor();
    expect(await listOrders(shop, 'company@example.com')).toMatchObject([{ value: 10_000, tax: 0 }]);
  });

  it('tells the buyer of a price that changed meanwhile, and asks again', async () => {
    const moving = await makeOffer(shop.store, { price: 1000 });
    await page.goto(`${shop.origin}/checkout/${moving}`);
    await fillIn(page, { email: 'moving@example.com' });
    await settlePrice(page);
    await shop.store.patch(`/v0/offers/${moving}/update`, { price: 2000 });
    await pay(page);
    await page.getByText('The total has changed from €11.90 to €23.80.').waitFor();
    expect(await listOrders(shop, 'moving@example.com')).toEqual([]);
    await pay(page);
    await thanks(page).waitFor();
    expect(await listOrders(shop, 'moving@example.com')).toMatchObject([{ value: 2380 }]);
  });
});
