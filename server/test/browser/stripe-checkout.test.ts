/** The checkout paid over an account of Stripe: its fields, what the page may load for them, and what a bank asks. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { type StripeAccount, type StripeDouble, startStripeDouble } from '../support/stripe-double.ts';
import { type Buyer, PHONE } from './support/browser.ts';
import { choice, field, orderNumberOf, payButton, settlePrice, thanks } from './support/checkout.ts';
import { button, dialog, heading, openPerson } from './support/dashboard.ts';
import { openShop, type Shop } from './support/shop.ts';

const FRAME = 'iframe[title="Secure payment input frame"]';

let double: StripeDouble;
let account: StripeAccount;
let shop: Shop;
let buyer: Buyer;
let page: Page;
let offerId: string;
beforeAll(async () => {
  double = await startStripeDouble();
  account = await double.openAccount();
  shop = await openShop({
    STRIPE_API_URL: double.apiUrl,
    STRIPE_JS_URL: double.scriptUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PROCESSOR_TIMEOUT_MS: '30000',
  });
  const { secretKey, publishableKey } = account;
  const credentials = { secretKey, publishableKey };
  const connected = await shop.store.post('/v0/processors/connect', {
    ...{ kind: 'stripe', name: 'Cards', credentials },
  });
  expect(connected.status, connected.text).toBe(200);
  await shop.changeSettings({ testCheckout: 'processors' });
  offerId = await makeOffer(shop.store, { price: 4900, currency: 'EUR', taxBehavior: 'inclusive' });
});
afterAll(async () => {
  await shop?.close();
  await double?.close();
});
beforeEach(async () => {
  buyer = await shop.openBuyer();
  page = await buyer.newTab();
});
afterEach(async () => {
  // Of other hosts only the processor's was asked.
  const origin = new URL(double.apiUrl).origin;
  expect(buyer.problems.filter((problem) => !problem.startsWith(`request to ${origin}`))).toEqual([]);
  await buyer.context.close();
  await expectInvariants(shop.app);
});

interface Books {
  charges: Record<string, { taken: number; refunded: number; currency: string }>;
}

/** What Stripe has taken, of one charge each. */
async function listTaken(): Promise<number[]> {
  const { charges } = await double.control<Books>(`GET /books?account=${account.id}`);
  return Object.values(charges).map(({ taken }) => taken);
}

async function fillIn(email: string, card: string): Promise<void> {
  await page.goto(`${shop.origin}/checkout/${offerId}`);
  await field(page, 'Email').fill(email);
  await choice(page, 'Country').selectOption('DE');
  await typeCard(card);
}

async function typeCard(card: string): Promise<void> {
  const frame = page.frameLocator(FRAME);
  await frame.getByLabel('Card number').fill(card);
  await frame.getByLabel('Expiration date').fill('12 / 40');
  await frame.getByLabel('Security code').fill('123');
}

/**
 * By keyboard: a browser without a screen may still think the frame of another origin where it was before the page was
 * scrolled, and give it the press of a mouse.
 */
async function press(): Promise<void> {
  await settlePrice(page);
  await payButton(page).press('Enter');
}

describe('a card, typed into Stripe’s fields', () => {
  it('P08 is charged once, and no digit of it comes by us', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(shop.origin)) sent.push(request.postData() ?? '');
    });
    const before = (await listTaken()).length;
    await fillIn('ada@example.com', '4242424242424242');
    const policy = (await (await page.request.get(page.url())).headers())['content-security-policy'] ?? '';
    const origin = new URL(double.apiUrl).origin;
    for (const part of ['script-src', 'connect-src', 'frame-src'])
      expect(policy.split('; ').find((rule) => rule.startsWith(part))).toContain(origin);
    await press();
    await orderNumberOf(page);
    await page.getByText('Visa ending in 4242').waitFor();
    expect((await listTaken()).slice(before)).toEqual([4900]);
    expect(sent.join()).not.toContain('4242424242424242');
  });

  it('P08 is asked for anew after a decline, and what was typed stays', async () => {
    const before = (await listTaken()).filter((sum) => sum > 0).length;
    await fillIn('declined@example.com', '4000000000000002');
    await press();
    await page
      .getByRole('alert')
      .filter({ hasText: /declined/i })
      .waitFor();
    expect(await field(page, 'Email').inputValue()).toBe('declined@example.com');
    await typeCard('4242424242424242');
    await press();
    await thanks(page).waitFor();
    expect((await listTaken()).filter((sum) => sum > 0).length).toBe(before + 1);
  });

  it('P08 is not sent while something of it is missing', async () => {
    await page.goto(`${shop.origin}/checkout/${offerId}`);
    await field(page, 'Email').fill('missing@example.com');
    await choice(page, 'Country').selectOption('DE');
    await page.frameLocator(FRAME).getByLabel('Card number').fill('4242');
    await press();
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

describe('a bank that asks its buyer', () => {
  const ask = async (button: string) => {
    await page.frameLocator('iframe').last().getByRole('button', { name: button }).press('Enter');
  };

  it('P09 is answered in the page', async () => {
    const before = (await listTaken()).filter((sum) => sum > 0).length;
    await fillIn('asked@example.com', '4000002760003184');
    await press();
    await ask('Complete authentication');
    await thanks(page).waitFor();
    expect((await listTaken()).filter((sum) => sum > 0).length).toBe(before + 1);
  });

  it('P09 that gets a no leaves the page as it was, to be paid by another card', async () => {
    await fillIn('refused@example.com', '4000002760003184');
    await press();
    await ask('Fail authentication');
    await page.getByRole('alert').first().waitFor();
    await typeCard('4242424242424242');
    await press();
    await thanks(page).waitFor();
  });

  it('P09 is asked again where the page was loaded anew in between', async () => {
    await buyer.context.close();
    buyer = await shop.openBuyer({ viewport: PHONE, colorScheme: 'dark' });
    page = await buyer.newTab();
    await fillIn('again@example.com', '4000002760003184');
    await press();
    await page
      .frameLocator('iframe')
      .last()
      .getByRole('button', { name: 'Complete authentication' })
      .waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Continue to your bank' }).press('Enter');
    await ask('Complete authentication');
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
