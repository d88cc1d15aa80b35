/** Buying one thing once: the form's names, the ways to pay, and one order per session whatever the buyer does. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeOffer } from '../support/make-catalogue.ts';
import type { Buyer } from './support/browser.ts';
import {
  CARDS,
  choice,
  field,
  fillCard,
  fillIn,
  orderNumberOf,
  pay,
  payButton,
  settlePrice,
  thanks,
} from './support/checkout.ts';
import { listOrders, openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let offerId: string;
let buyer: Buyer;
let page: Page;
beforeAll(async () => {
  shop = await openShop();
  offerId = await makeOffer(shop.store, { name: 'Rocket', price: 4900 });
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

describe('the form', () => {
  it('names every control as assistive tools expect it', async () => {
    await choice(page, 'Country').selectOption('US');
    await page.getByRole('checkbox').check();
    const texts = ['Email', 'Postal code', 'Name on card', 'Card number', 'Expiry', 'CVC', 'Discount code'];
    for (const name of [...texts, 'Company name', 'Tax number']) {
      expect([name, await field(page, name).count()]).toEqual([name, 1]);
    }
    await choice(page, 'State').selectOption('CA');
    await expect.poll(() => page.getByRole('button', { name: 'Apply', exact: true }).count()).toBe(1);
    await expect.poll(() => payButton(page).count()).toBe(1);
  });

  it('has ISO codes as the values of its countries', async () => {
    const values = await choice(page, 'Country')
      .locator('option')
      .evaluateAll((options) => options.map((option) => option.getAttribute('value')));
    expect(values).toEqual(expect.arrayContaining(['DE', 'US', 'JP', 'XK']));
    expect(values.filter((value) => !/^([A-Z]{2})?$/.test(value ?? ''))).toEqual([]);
  });

  it.each(['12/35', '1235'])('takes the expiry %s, typed key by key', async (expiry) => {
    await fillIn(page);
    await field(page, 'Expiry').fill('');
    await field(page, 'Expiry').pressSequentially(expiry);
    await pay(page);
    await thanks(page).waitFor();
  });

  it('marks what is missing and takes the buyer to the first of it', async () => {
    await payButton(page).click();
    await page.getByText('Enter your email address.').waitFor();
    await page.locator('[name="email"]:focus').waitFor();
    await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(5);
  });

  it('asks for another try, in the language of the page, where a field could not be checked', async () => {
    // Nothing inside is asked: its answer never comes.
    const checked = { key: 'nick', label: 'Nick', type: 'text', validationUrl: 'http://127.0.0.1:9/check' };
    const { body } = await shop.store.post('/v0/custom-fields/create', { ...checked, required: false });
    await page.goto(`${shop.origin}/checkout/${offerId}?svc-language=de`);
    await field(page, 'E-Mail').fill('ada@example.com');
    await choice(page, 'Land').selectOption('DE');
    await field(page, 'Nick').fill('ada');
    await field(page, 'Kartennummer').fill(CARDS.visa);
    await field(page, 'Gültig bis').fill('12/35');
    await field(page, 'Prüfziffer').fill('123');
    await settlePrice(page);
    await page.getByRole('button', { name: /bezahlen$/ }).click();
    await page.getByText('Der Server war nicht zu erreichen.').waitFor();
    await page.locator('[name="customFields.nick"]:focus').waitFor();
    await shop.store.patch(`/v0/custom-fields/${body.data.customField.id}/archive`);
  });

  it('keeps its language where the texts of another do not come', async () => {
    await field(page, 'Email').fill('ada@example.com');
    await page.route(/assets\/fr-/, (route) => route.abort());
    await choice(page, 'Language').selectOption('fr');
    await expect.poll(() => choice(page, 'Language').inputValue()).toBe('en');
    expect(await field(page, 'Email').inputValue()).toBe('ada@example.com');
  });

  it('says in words what is wrong with a card that cannot be', async () => {
    await fillIn(page, { card: '4242424242424241', expiry: '12/20' });
    await pay(page);
    await page.getByText('This is not a card number. Please check the digits.').waitFor();
    await page.getByText('This card has expired.').waitFor();
  });

  it('can be filled in and sent with the keyboard alone', async () => {
    await field(page, 'Email').focus();
    const keys = page.keyboard;
    await keys.type('keys@example.com');
    await keys.press('Tab');
    await keys.type('Germ');
    await settlePrice(page);
    expect(await choice(page, 'Country').inputValue()).toBe('DE');
    await keys.press('Tab');
    await keys.press('Tab');
    await keys.press('Tab');
    for (const text of [CARDS.visa, '1235', '123', 'Ada Lovelace']) {
      await keys.type(text);
      await keys.press('Tab');
    }
    await keys.press('Enter');
    await thanks(page).waitFor();
    expect(await listOrders(shop, 'keys@example.com')).toMatchObject([{ status: 'PAID', value: 5831 }]);
  });
});

describe('paying', () => {
  it('charges the total with tax and shows the order on a receipt that survives a reload', async () => {
    await fillIn(page, { email: 'once@example.com' });
    await settlePrice(page);
    expect(await payButton(page).textContent()).toBe('Pay €58.31');
    await pay(page);
    const number = await orderNumberOf(page);
    expect(await listOrders(shop, 'once@example.com')).toMatchObject([{ number, value: 5831, tax: 931 }]);
    await page.reload();
    expect(await orderNumberOf(page)).toBe(number);
    expect(await page.title()).toBe('Thank you · First');
  });

  it('keeps what was typed after a decline, and takes another card for the same order', async () => {
    await fillIn(page, { email: 'decline@example.com', card: CARDS.declined });
    await pay(page);
    await page.getByRole('alert').getByText('The card was declined.').waitFor();
    expect(await listOrders(shop, 'decline@example.com')).toMatchObject([{ status: 'FAILED' }]);
    expect(await field(page, 'Email').inputValue()).toBe('decline@example.com');
    await fillCard(page);
    await pay(page);
    const number = await orderNumberOf(page);
    expect(await listOrders(shop, 'decline@example.com')).toMatchObject([{ status: 'PAID', number }]);
  });

  it('makes one order of a double click', async () => {
    await fillIn(page, { email: 'double@example.com' });
    await settlePrice(page);
    await payButton(page).dblclick();
    await thanks(page).waitFor();
    expect(await listOrders(shop, 'double@example.com')).toHaveLength(1);
  });

  it('makes one order of a session that is open in two tabs', async () => {
    const second = await buyer.newTab();
    await second.goto(page.url());
    for (const tab of [page, second]) {
      await fillIn(tab, { email: 'tabs@example.com' });
      await settlePrice(tab);
    }
    await Promise.all([payButton(page).click(), payButton(second).click()]);
    const numbers = await Promise.all([orderNumberOf(page), orderNumberOf(second)]);
    expect(await listOrders(shop, 'tabs@example.com')).toMatchObject([
      { status: 'PAID', number: numbers[0] },
    ]);
    expect(numbers[0]).toBe(numbers[1]);
  });

  it('tells a buyer whose connection broke that pressing again is safe, and then charges once', async () => {
    await fillIn(page, { email: 'lost@example.com' });
    await settlePrice(page);
    await page.route('**/submit', async (route) => {
      // The request arrives; its answer does not.
      await route.fetch();
      await route.abort();
    });
    await payButton(page).click();
    await page.getByRole('alert').getByText('safe to press the button again').waitFor();
    // The button was pressed by the keyboard, perhaps: it keeps its place there.
    await page.locator('button.primary:focus').waitFor();
    await page.unroute('**/submit');
    await payButton(page).click();
    await thanks(page).waitFor();
    expect(await listOrders(shop, 'lost@example.com')).toMatchObject([{ status: 'PAID' }]);
  });

  it('finds what was typed again after a reload', async () => {
    await field(page, 'Email').fill('reload@example.com');
    // Of the country: the address alone may be told of in between.
    const priced = page.waitForResponse(
      (response) =>
        response.url().endsWith('/quote') && response.request().postDataJSON().countryCode === 'FR',
    );
    await choice(page, 'Country').selectOption('FR');
    await priced;
    await page.reload();
    await expect.poll(() => field(page, 'Email').inputValue()).toBe('reload@example.com');
    await expect.poll(() => choice(page, 'Country').inputValue()).toBe('FR');
    await page.getByText('VAT 20%').waitFor();
  });
});

describe('the receipt', () => {
  const refund = (number: string, body: Record<string, unknown>) =>
    shop.store.post(`/v0/orders/${number}/refunds`, body);

  it('opens the invoice, and beside it the credit note of each refund', async () => {
    await fillIn(page, { email: 'proofs@example.com' });
    await pay(page);
    const number = await orderNumberOf(page);
    await refund(number, { amount: 1000 });
    await page.reload();
    await page.getByText('-€10.00').waitFor();
    for (const name of [/^Invoice TEST-/, /^Credit note TEST-/]) {
      const path = await page.getByRole('link', { name }).getAttribute('href');
      const opened = await page.request.get(shop.origin + path);
      expect([name, opened.headers()['content-type']]).toEqual([name, 'application/pdf']);
    }
    await refund(number, {});
    await page.reload();
    await page.getByText('Your purchase for proofs@example.com was refunded in full.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: /^Credit note/ }).count()).toBe(2);
  });

  it('stays for an order that the seller cancelled', async () => {
    await fillIn(page, { email: 'cancelled@example.com' });
    await pay(page);
    const number = await orderNumberOf(page);
    await shop.store.patch(`/v0/orders/${number}/cancel`);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'This order was cancelled' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: /^Invoice TEST-/ }).count()).toBe(1);
  });
});

describe('authentication', () => {
  const open = async (email: string) => {
    await fillIn(page, { email, card: CARDS.authenticates });
    await pay(page);
    await page.getByRole('heading', { name: 'Confirm your payment' }).waitFor();
  };

  it('settles the payment once the buyer approves', async () => {
    await open('approve@example.com');
    await page.getByRole('button', { name: 'Complete authentication' }).click();
    await thanks(page).waitFor();
    expect(await listOrders(shop, 'approve@example.com')).toMatchObject([{ status: 'PAID' }]);
  });

  it('lets a buyer who rejects try again with another card', async () => {
    await open('reject@example.com');
    await page.getByRole('button', { name: 'Fail authentication' }).click();
    await page.getByRole('alert').getByText('The payment was not authenticated.').waitFor();
    expect(await field(page, 'Email').inputValue()).toBe('reject@example.com');
    await fillCard(page);
    await pay(page);
    await thanks(page).waitFor();
    expect(await listOrders(shop, 'reject@example.com')).toMatchObject([{ status: 'PAID' }]);
  });
});

describe('an outcome that the bank does not tell', () => {
  it('is waited for, offers no second payment, and shows the receipt once it is known', async () => {
    await fillIn(page, { email: 'unknown@example.com', card: CARDS.unknownFirst });
    await pay(page);
    await page.getByRole('heading', { name: 'Your bank has not answered yet' }).waitFor();
    expect(await payButton(page).count()).toBe(0);
    expect(await listOrders(shop, 'unknown@example.com')).toMatchObject([{ status: 'PENDING' }]);
    await shop.moveClock(3 * 60_000);
    await thanks(page).waitFor();
  });
});
