import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Double } from '../../src/start.ts';
import { type Keys, openAccount, start, toClient } from '../support/stand-in.ts';

let double: Double;
let keys: Keys;
let stripe: Stripe;
let shop: Server;
let browser: Browser;

beforeAll(async () => {
  double = await start();
  keys = await openAccount(double);
  stripe = toClient(double, keys.secretKey);
  shop = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><div id="here"></div><script src="${double.apiUrl}/endive/stripe.js"></script>`,
    );
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
});
afterAll(async () => {
  await browser.close();
  shop.closeAllConnections();
  shop.close();
  await double.close();
});

const shopUrl = (): string => `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;

async function open(): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(shopUrl());
  await page.evaluate(`window.stripe = Stripe('${keys.publishableKey}');
    window.elements = stripe.elements({ mode: 'payment', amount: 1999, currency: 'eur', allowedPaymentMethodTypes: ['card', 'ideal'] });
    elements.create('payment').mount('#here');`);
  return page;
}

async function typeCard(page: Page, number: string, expiry = '12 / 40'): Promise<string> {
  const frame = page.frameLocator('iframe[title="Secure payment input frame"]');
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiration date').fill(expiry);
  await frame.getByLabel('Security code').fill('123');
  return page.evaluate(`(async () => {
    const { error } = await elements.submit();
    if (error) throw new Error(error.message);
    const made = await stripe.createConfirmationToken({ elements, params: { return_url: '${shopUrl()}' } });
    return made.confirmationToken.id;
  })()`);
}

async function pay(token: string): Promise<Stripe.PaymentIntent> {
  const allowed = { allowed_payment_method_types: ['card', 'ideal'] };
  const intent = await stripe.paymentIntents.create({ amount: 1999, currency: 'eur', ...allowed });
  return stripe.paymentIntents.confirm(intent.id, { confirmation_token: token });
}

describe('Stripe.js', () => {
  it.each(['12 / 40', '12/40', '1240'])('takes a card by a token: %s', async (expiry) => {
    const page = await open();
    expect((await pay(await typeCard(page, '4242424242424242', expiry))).status).toBe('succeeded');
    await page.close();
  });

  it.each([
    ['Complete authentication', 'succeeded'],
    ['Fail authentication', 'requires_payment_method'],
  ])('authenticates in a frame: %s', async (button, status) => {
    const page = await open();
    const intent = await pay(await typeCard(page, '4000002760003184'));
    expect(intent.next_action?.type).toBe('use_stripe_sdk');
    const ended = page.evaluate(
      `stripe.handleNextAction({ clientSecret: '${intent.client_secret}' }).then(() => true)`,
    );
    await page.frameLocator('iframe[title="3D Secure challenge"]').getByText(button).click();
    await ended;
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe(status);
    await page.close();
  });

  it('leads to the bank and back', async () => {
    const page = await open();
    const frame = page.frameLocator('iframe[title="Secure payment input frame"]');
    await frame.getByRole('tab', { name: 'iDEAL' }).click();
    const token = await page.evaluate<string>(`elements.submit()
      .then(() => stripe.createConfirmationToken({ elements, params: { return_url: '${shopUrl()}back' } }))
      .then(({ confirmationToken }) => confirmationToken.id)`);
    const intent = await pay(token);
    await page.evaluate(`void stripe.handleNextAction({ clientSecret: '${intent.client_secret}' })`);
    await page.getByText('Complete authentication').click();
    await page.waitForURL(/redirect_status=succeeded/);
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
    await page.close();
  });

  it('shows the last amount in the wallet', async () => {
    const page = await open();
    await page.evaluate('elements.update({ amount: 2500 })');
    const frame = page.frameLocator('iframe[title="Secure payment input frame"]');
    await frame.getByRole('button', { name: 'Google Pay' }).click();
    await expect.poll(() => frame.locator('#total').textContent()).toBe('€25.00');
    await page.close();
  });

  it('throws at wrong use', async () => {
    const page = await open();
    const fails = (code: string): Promise<string> =>
      page.evaluate(
        `(async () => { try { await (${code}); return 'nothing'; } catch (error) { return error.name; } })()`,
      );
    expect(
      await fails(
        "stripe.elements({ mode: 'payment', amount: 1, currency: 'eur', paymentMethodTypes: ['card'] })",
      ),
    ).toBe('IntegrationError');
    expect(await fails("stripe.elements({ mode: 'payment', amount: 1, currency: 'eur', nothing: 1 })")).toBe(
      'IntegrationError',
    );
    expect(await fails('stripe.createConfirmationToken({ elements })')).toBe('IntegrationError');
    await page.close();
  });
});
