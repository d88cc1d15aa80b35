/** What can be paid with in the frame of a shop's page, and the ways that lead out of it. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeOffer } from '../support/make-catalogue.ts';
import { type PayPalDouble, startPayPalDouble } from '../support/paypal-double.ts';
import { choice, field, orderNumberOf, payButton, settlePrice, thanks } from './support/checkout.ts';
import { openCheckout } from './support/selling-site.ts';
import { listOrders } from './support/shop.ts';
import {
  checkoutIn,
  EVENTS_SCRIPT,
  ISOLATED,
  isLoaded,
  openSite,
  type ShopSite,
  toldOn,
  toShopPage,
  waitForEvent,
} from './support/shop-page.ts';
import { FIELDS_FRAME, openStripeShop, type StripeShop, typeCard } from './support/stripe.ts';

let paypal: PayPalDouble;
let stripe: StripeShop;
let site: ShopSite;
let page: Page;
let checkoutUrl: string;
beforeAll(async () => {
  paypal = await startPayPalDouble();
  stripe = await openStripeShop({ PAYPAL_SANDBOX_API_URL: paypal.apiUrl });
  const { clientId, clientSecret } = await paypal.openAccount();
  const connected = await stripe.shop.store.post('/v0/processors/connect', {
    ...{ kind: 'paypal', name: 'PayPal', credentials: { clientId, clientSecret } },
  });
  expect(connected.status, connected.text).toBe(200);
  site = await openSite();
  site.show('/events.js', EVENTS_SCRIPT, { 'cross-origin-resource-policy': 'same-origin' });
  const offer = { name: 'Rocket', price: 4900, currency: 'EUR', taxBehavior: 'inclusive' };
  checkoutUrl = `${stripe.shop.origin}/checkout/${await makeOffer(stripe.shop.store, offer)}`;
});
afterAll(async () => {
  await site?.close();
  await stripe?.close();
  await paypal?.close();
});
beforeEach(async () => {
  page = await (await stripe.shop.openBuyer()).newTab();
});

const link = (mode = 'overlay') => `<a id="buy" href="${checkoutUrl}" data-svc-mode="${mode}">Buy</a>`;
const show = (body = link(), headers: Record<string, string> = {}) =>
  site.show('/', toShopPage({ payOrigin: stripe.shop.origin, body }), headers);
const checkout = () => checkoutIn(page);

async function fillIn(email: string): Promise<void> {
  await field(checkout(), 'Email').fill(email);
  await choice(checkout(), 'Country').selectOption('DE');
  await settlePrice(checkout());
}

/** The methods among which the processor's fields let the buyer choose. */
const tabsIn = (where: Pick<Page, 'frameLocator'>) => where.frameLocator(FIELDS_FRAME).getByRole('tab');

describe('the fields of a processor in a frame', () => {
  it('P16 offer a card and Link alone, and a card is paid without leaving the page', async () => {
    await openCheckout(page, show());
    await fillIn('framed@example.com');
    await expect.poll(() => tabsIn(checkout()).allTextContents()).toEqual(['Card', 'Link']);
    await typeCard(checkout().owner().contentFrame(), '4000002500003155');
    await payButton(checkout()).press('Enter');
    const bank = checkout().frameLocator('iframe').last();
    await bank.getByRole('button', { name: 'Complete authentication' }).press('Enter', { noWaitAfter: true });
    await thanks(checkout()).waitFor();
    expect(page.url()).toBe(`${site.origin}/`);
    expect(await waitForEvent(page, 'complete')).toMatchObject({ status: 'paid' });
  });

  it('P16 lead by "More ways to pay" to the whole page, with all that was typed, and back with the order', async () => {
    await openCheckout(page, show());
    await fillIn('more@example.com');
    await checkout().getByRole('link', { name: 'More ways to pay' }).click();
    await page.waitForURL((url) => url.origin === stripe.shop.origin);
    expect(await field(page, 'Email').inputValue()).toBe('more@example.com');
    expect(await choice(page, 'Country').inputValue()).toBe('DE');
    await expect.poll(() => tabsIn(page).allTextContents()).toContain('iDEAL');
    expect(await page.getByRole('link', { name: 'More ways to pay' }).count()).toBe(0);
    await tabsIn(page).getByText('iDEAL').press('Enter');
    await settlePrice(page);
    await payButton(page).press('Enter');
    await page.getByRole('button', { name: /^(Complete|Authorize)/ }).click();
    await page.waitForURL((url) => url.origin === site.origin);
    const [order] = await listOrders(stripe.shop, 'more@example.com');
    expect(order?.status).toBe('PAID');
    expect(new URL(page.url()).searchParams.get('svc-order-id')).toBe(order?.id);
  });

  it('P16 ask on the whole page in the page what a bank asks of a card', async () => {
    await openCheckout(page, show());
    await fillIn('more-card@example.com');
    await checkout().getByRole('link', { name: 'More ways to pay' }).click();
    await page.waitForURL((url) => url.origin === stripe.shop.origin);
    await typeCard(page, '4000002500003155');
    await settlePrice(page);
    await payButton(page).press('Enter');
    const bank = page.frameLocator('iframe').last();
    await bank.getByRole('button', { name: 'Complete authentication' }).press('Enter', { noWaitAfter: true });
    await page.waitForURL((url) => url.origin === site.origin);
    expect(await listOrders(stripe.shop, 'more-card@example.com')).toMatchObject([{ status: 'PAID' }]);
  });

  it('P16 show "Open checkout" in a page that is isolated', async () => {
    const lines: string[] = [];
    page.on('console', (line) => line.text().startsWith('Counterfoil') && lines.push(line.text()));
    await page.goto(show(link(), ISOLATED));
    await isLoaded(page);
    await page.locator('#buy').click();
    const open = page.getByRole('link', { name: 'Open checkout' });
    await open.waitFor();
    expect(await toldOn(page)).toEqual([['error', { code: 'not_allowed' }]]);
    expect(lines.join()).toMatch(/isolat/i);
    await open.click();
    await tabsIn(page).getByText('iDEAL').waitFor();
  });
});

describe('PayPal from a frame', () => {
  it('P16 opens beside the page, and the frame finds the result', async () => {
    await openCheckout(
      page,
      show(`<div data-svc-checkout-url="${checkoutUrl}" data-svc-mode="embed"></div>`),
    );
    await fillIn('paypal@example.com');
    await checkout().getByRole('radio', { name: 'PayPal' }).check();
    await settlePrice(checkout());
    const [opened] = await Promise.all([page.waitForEvent('popup'), payButton(checkout()).click()]);
    await opened.getByRole('button', { name: 'Approve' }).click();
    await thanks(checkout()).waitFor();
    expect(await orderNumberOf(checkout())).toBeTruthy();
    expect(page.url()).toBe(`${site.origin}/`);
    expect(await listOrders(stripe.shop, 'paypal@example.com')).toMatchObject([{ status: 'PAID' }]);
  });
});
