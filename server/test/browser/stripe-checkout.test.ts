/** The checkout paid over an account of Stripe: its fields, what the page may load for them, and what a bank asks. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import type { StripeAccount, StripeDouble } from '../support/stripe-double.ts';
import { type Buyer, PHONE } from './support/browser.ts';
import { choice, field, orderNumberOf, thanks } from './support/checkout.ts';
import { button, dialog, heading, openPerson } from './support/dashboard.ts';
import type { Shop } from './support/shop.ts';
import {
  answerBank,
  FIELDS_FRAME,
  listProblems,
  openStripeShop,
  pressPay,
  type StripeShop,
  typeCard,
} from './support/stripe.ts';

let stripe: StripeShop;
let double: StripeDouble;
let account: StripeAccount;
let shop: Shop;
let buyer: Buyer;
let page: Page;
let offerId: string;
beforeAll(async () => {
  stripe = await openStripeShop();
  ({ double, account, shop } = stripe);
  offerId = await makeOffer(shop.store, { price: 4900, currency: 'EUR', taxBehavior: 'inclusive' });
});
afterAll(() => stripe?.close());
beforeEach(async () => {
  buyer = await shop.openBuyer();
  page = await buyer.newTab();
});
afterEach(async () => {
  // Of other hosts only the processor's was asked.
  expect(listProblems(stripe, buyer.problems)).toEqual([]);
  await buyer.context.close();
  await expectInvariants(shop.app);
});

async function fillIn(email: string, card: string): Promise<void> {
  await page.goto(`${shop.origin}/checkout/${offerId}`);
  await field(page, 'Email').fill(email);
  await choice(page, 'Country').selectOption('DE');
  await typeCard(page, card);
}

describe('a card, typed into Stripe’s fields', () => {
  it('P08 is charged once, and no digit of it comes by us', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(shop.origin)) sent.push(request.postData() ?? '');
    });
    const before = (await stripe.listTaken()).length;
    await fillIn('ada@example.com', '4242424242424242');
    const policy = (await (await page.request.get(page.url())).headers())['content-security-policy'] ?? '';
    const origin = new URL(double.apiUrl).origin;
    for (const part of ['script-src', 'connect-src', 'frame-src'])
      expect(policy.split('; ').find((rule) => rule.startsWith(part))).toContain(origin);
    await pressPay(page);
    await orderNumberOf(page);
    await page.getByText('Visa ending in 4242').waitFor();
    expect((await stripe.listTaken()).slice(before)).toEqual([4900]);
    expect(sent.join()).not.toContain('4242424242424242');
  });

  it('P16 stands beside a wallet, whose sheet shows the last quote', async () => {
    const taxed = await makeOffer(shop.store, { price: 5000, currency: 'EUR', taxBehavior: 'exclusive' });
    await shop.store.patch('/v0/settings/update', {
      registrations: [{ country: 'FR', number: 'FR12345678901' }],
    });
    await page.goto(`${shop.origin}/checkout/${taxed}`);
    await field(page, 'Email').fill('wallet@example.com');
    await choice(page, 'Country').selectOption('US');
    await page.getByRole('button', { name: 'Pay €50.00' }).waitFor();
    await choice(page, 'Country').selectOption('FR');
    await page.getByRole('button', { name: 'Pay €60.00' }).waitFor();
    const fields = page.frameLocator(FIELDS_FRAME);
    await fields.getByRole('button', { name: 'Google Pay' }).press('Enter');
    await expect.poll(() => fields.locator('#total').textContent()).toBe('€60.00');
    await shop.store.patch('/v0/settings/update', { registrations: [] });
  });

  it('P08 is asked for anew after a decline, and what was typed stays', async () => {
    const before = (await stripe.listTaken()).length;
    await fillIn('declined@example.com', '4000000000000002');
    await pressPay(page);
    await page
      .getByRole('alert')
      .filter({ hasText: /declined/i })
      .waitFor();
    expect(await field(page, 'Email').inputValue()).toBe('declined@example.com');
    await typeCard(page, '4242424242424242');
    await pressPay(page);
    await thanks(page).waitFor();
    expect((await stripe.listTaken()).length).toBe(before + 1);
  });

  it('P08 is not sent while something of it is missing', async () => {
    await page.goto(`${shop.origin}/checkout/${offerId}`);
    await field(page, 'Email').fill('missing@example.com');
    await choice(page, 'Country').selectOption('DE');
    await page.frameLocator(FIELDS_FRAME).getByLabel('Card number').fill('4242');
    await pressPay(page);
    await page.getByRole('alert').first().waitFor();
    expect(await thanks(page).count()).toBe(0);
  });

  it('P08 a shop without an account of Stripe loads nothing of it', async () => {
    await shop.changeSettings({ testCheckout: 'sandbox' });
    await page.goto(`${shop.origin}/checkout/${offerId}`);
    await field(page, 'Card number').waitFor();
    const policy = (await (await page.request.get(page.url())).headers())['content-security-policy'] ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('frame-src');
    expect(buyer.problems).toEqual([]);
    await shop.changeSettings({ testCheckout: 'processors' });
  });
});

describe('a buyer whom the merchant knows', () => {
  async function openPrepared(userId: string): Promise<void> {
    const { body } = await shop.store.post('/v0/checkout-sessions/create', { offersIds: [offerId], userId });
    await page.goto(body.data.checkoutSession.url);
  }

  it('S45 keeps a card where they ask for it, and pays the next order by it', async () => {
    const { body } = await shop.store.post('/v0/users/create', {
      ...{ email: 'known@example.com', billingDetails: { countryCode: 'DE' } },
    });
    const { id } = body.data.user;
    const before = (await stripe.listTaken()).length;
    await openPrepared(id);
    await typeCard(page, '4242424242424242');
    // What is typed stays, whatever the box says.
    const keep = page.getByRole('checkbox', { name: 'Save this card for next time' });
    for (const isKept of [true, false, true]) await keep.setChecked(isKept);
    await pressPay(page);
    await thanks(page).waitFor();
    await openPrepared(id);
    const stored = page.getByRole('radio', { name: 'Visa ending in 4242' });
    await stored.waitFor();
    expect(await stored.isChecked()).toBe(true);
    await pressPay(page);
    await thanks(page).waitFor();
    expect((await stripe.listTaken()).length).toBe(before + 2);
  });
});

describe('a bank that asks its buyer', () => {
  it('P09 is answered in the page', async () => {
    const before = (await stripe.listTaken()).length;
    await fillIn('asked@example.com', '4000002760003184');
    await pressPay(page);
    await answerBank(page, 'Complete authentication');
    await thanks(page).waitFor();
    expect((await stripe.listTaken()).length).toBe(before + 1);
  });

  it('P09 that gets a no leaves the page as it was, to be paid by another card', async () => {
    await fillIn('refused@example.com', '4000002760003184');
    await pressPay(page);
    await answerBank(page, 'Fail authentication');
    await page.getByRole('alert').first().waitFor();
    await typeCard(page, '4242424242424242');
    await pressPay(page);
    await thanks(page).waitFor();
  });

  it('P09 is asked again where the page was loaded anew in between', async () => {
    await buyer.context.close();
    buyer = await shop.openBuyer({ viewport: PHONE, colorScheme: 'dark' });
    page = await buyer.newTab();
    await fillIn('again@example.com', '4000002760003184');
    await pressPay(page);
    await page
      .frameLocator('iframe')
      .last()
      .getByRole('button', { name: 'Complete authentication' })
      .waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Continue to your bank' }).press('Enter');
    await answerBank(page, 'Complete authentication');
    await thanks(page).waitFor();
  });

  it('P09 leaves the way to another card, and the one that waited is never charged', async () => {
    const before = (await stripe.listTaken()).length;
    await fillIn('other@example.com', '4000002760003184');
    await pressPay(page);
    await page
      .frameLocator('iframe')
      .last()
      .getByRole('button', { name: 'Complete authentication' })
      .waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Pay another way' }).press('Enter');
    expect(await field(page, 'Email').inputValue()).toBe('other@example.com');
    await typeCard(page, '4242424242424242');
    await pressPay(page);
    await page.getByText('Visa ending in 4242').waitFor();
    expect((await stripe.listTaken()).length).toBe(before + 1);
  });

  it('P09 that is answered while the service is away is heard of once it is back', async () => {
    await fillIn('away@example.com', '4000002760003184');
    await pressPay(page);
    let isAway = true;
    await page.route('**/confirm', (route) => (isAway ? route.abort() : route.continue()));
    await answerBank(page, 'Complete authentication');
    await page.getByText('The connection is interrupted. We keep trying.').waitFor();
    isAway = false;
    await thanks(page).waitFor();
  });
});

describe('the dashboard', () => {
  it('P48 connects an account by its keys, asks it, and takes others of the same account alone', async () => {
    const owner = 'ada@first.example';
    await makeAccount(shop.app, { email: owner, name: 'Ada' });
    const { page: desk, close } = await openPerson(shop, owner, {});
    const own = await double.openAccount();
    await desk.goto(`${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test/settings/payments`);
    await heading(desk, 'Payments').waitFor();
    await button(desk, 'Connect a processor').click();
    const asked = dialog(desk, 'Connect a processor');
    await asked.getByLabel('Name', { exact: true }).fill('Second shop');
    await asked.getByLabel(/^Secret key/).fill('sk_test_none');
    await asked.getByLabel(/^Publishable key/).fill(own.publishableKey);
    await asked.getByRole('button', { name: 'Connect a processor', exact: true }).click();
    await asked.getByRole('alert').first().waitFor();
    await asked.getByLabel(/^Secret key/).fill(own.secretKey);
    await asked.getByRole('button', { name: 'Connect a processor', exact: true }).click();
    await heading(desk, 'Second shop').waitFor();
    await desk.getByText(`••••${own.secretKey.slice(-4)}`).waitFor();
    expect(await desk.content()).not.toContain(own.secretKey);

    const confirm = async (name: string, fill: () => Promise<void> = async () => {}) => {
      await button(desk, name).click();
      await fill();
      await dialog(desk, name).getByRole('button', { name, exact: true }).click();
    };
    await confirm('Check now');
    await dialog(desk, 'Check now').waitFor({ state: 'detached' });
    await confirm('Replace keys', async () => {
      await dialog(desk, 'Replace keys')
        .getByLabel(/^Secret key/)
        .fill(account.secretKey);
      await dialog(desk, 'Replace keys')
        .getByLabel(/^Publishable key/)
        .fill(account.publishableKey);
    });
    await dialog(desk, 'Replace keys').getByRole('alert').first().waitFor();
    await close();
  });
});
