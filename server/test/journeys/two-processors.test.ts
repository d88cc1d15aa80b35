/** A buyer who begins at one processor and pays at another. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage } from '../support/buying.ts';
import { advance, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { type PayPalDouble, pressAtPayPal, startPayPalDouble } from '../support/paypal-double.ts';
import { type StripeDouble, startStripeDouble } from '../support/stripe-double.ts';

let app: TestApp;
let stripe: StripeDouble;
let paypal: PayPalDouble;
let accounts: { stripe: string; paypal: string };
beforeAll(async () => {
  [stripe, paypal] = await Promise.all([startStripeDouble(), startPayPalDouble()]);
  app = await createTestApp({
    ...{ STRIPE_API_URL: stripe.apiUrl, PAYPAL_SANDBOX_API_URL: paypal.apiUrl },
    ...{ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'), PROCESSOR_TIMEOUT_MS: '30000' },
  });
  const [cards, wallet] = await Promise.all([stripe.openAccount(), paypal.openAccount()]);
  accounts = { stripe: cards.id, paypal: wallet.id };
  const { secretKey, publishableKey } = cards;
  const { clientId, clientSecret } = wallet;
  for (const [kind, credentials] of [
    ['stripe', { secretKey, publishableKey }],
    ['paypal', { clientId, clientSecret }],
  ] as const) {
    const { status, text } = await app.test.post('/v0/processors/connect', { kind, name: kind, credentials });
    expect(status, text).toBe(200);
  }
  await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
});
afterAll(async () => {
  await app?.close();
  await Promise.all([stripe?.close(), paypal?.close()]);
});

interface Books {
  charges: Record<string, { taken: number; refunded: number }>;
}
const sumOf = ({ charges }: Books) =>
  Object.values(charges).reduce((sum, { taken, refunded }) => sum + taken - refunded, 0);

it('P21 an authentication that was left at Stripe takes nothing once PayPal was paid', async () => {
  const offerId = await makeOffer(app.test, { price: 4900, currency: 'EUR', taxBehavior: 'inclusive' });
  const page = await openPage(app, `/checkout/${offerId}`);
  const shown = (await page.show()).body.data.checkout.quote;
  expect(shown.methods).toEqual(['token', 'redirect']);
  const token = { option: 'token', token: 'pm_card_authenticationRequired' };
  const left = await page.submit({ card: undefined, payment: token });
  expect(left.body.data?.checkout.status, left.text).toBe('requires_action');
  const second = await page.submit({ card: undefined, payment: { option: 'redirect' } });
  expect(second.body.data?.checkout.status, second.text).toBe('requires_action');
  const { url } = second.body.data.checkout.action;
  expect(url).toContain('/checkoutnow?');
  const { pathname, search } = new URL(await pressAtPayPal(url, 'approve'));
  await app.test.get(`${pathname}${search}`, { keys: 'none' });
  await advance(app, app.test.scope, 2 * MINUTE_MS);
  expect((await page.show()).body.data.checkout.status).toBe('paid');
  const [cards, wallet] = await Promise.all([
    stripe.control<Books>(`GET /books?account=${accounts.stripe}`),
    paypal.control<Books>(`GET /books?account=${accounts.paypal}`),
  ]);
  expect([sumOf(cards), sumOf(wallet)]).toEqual([0, 4900]);
  const charges = await app.service.db.selectFrom('charges').select(['processor', 'status']).execute();
  expect(charges.map(({ processor, status }) => `${processor} ${status}`).sort()).toEqual([
    'paypal succeeded',
    'stripe failed',
  ]);
  await expectInvariants(app);
});

it('P06 who pays while a key is revoked may pay by another processor a moment later', async () => {
  const offerId = await makeOffer(app.test, { price: 2900, currency: 'EUR', taxBehavior: 'inclusive' });
  const page = await openPage(app, `/checkout/${offerId}`);
  expect((await page.show()).body.data.checkout.quote.methods).toEqual(['token', 'redirect']);
  await stripe.control(`POST /accounts/${accounts.stripe}/revoke`);
  const sent = await page.submit({ card: undefined, payment: { option: 'token', token: 'pm_card_visa' } });
  expect(sent.body.data?.checkout.status, sent.text).toBe('processing');
  await advance(app, app.test.scope, MINUTE_MS);
  const { checkout } = (await page.show()).body.data;
  expect(checkout.status).toBe('open');
  expect(checkout.quote.methods).toEqual(['redirect']);
  const again = await page.submit({ card: undefined, payment: { option: 'redirect' } });
  expect(again.body.data?.checkout.status, again.text).toBe('requires_action');
  const { pathname, search } = new URL(await pressAtPayPal(again.body.data.checkout.action.url, 'approve'));
  await app.test.get(`${pathname}${search}`, { keys: 'none' });
  expect((await page.show()).body.data.checkout.status).toBe('paid');
  await expectInvariants(app);
});
