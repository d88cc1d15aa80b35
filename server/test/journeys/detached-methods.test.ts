/** A method that is removed here is kept no longer where it was kept: Stripe's and PayPal's stand-ins are asked. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { type PayPalDouble, pressAtPayPal, startPayPalDouble } from '../support/paypal-double.ts';
import { signIn } from '../support/portal.ts';
import { openStripeApp, type StripeApp } from '../support/stripe-app.ts';

const EUROS = { currency: 'EUR', taxBehavior: 'inclusive', price: 900 };

let paypal: PayPalDouble;
let shop: StripeApp;
beforeAll(async () => {
  paypal = await startPayPalDouble();
  shop = await openStripeApp({ PAYPAL_SANDBOX_API_URL: paypal.apiUrl });
  await shop.double.control('POST /events', { deliver: 'never' });
});
afterEach(() => expectInvariants(shop.app));
afterAll(async () => {
  await shop?.close();
  await paypal?.close();
});

interface Kept {
  id: string;
  userId: string;
  reference: string;
  ended: boolean;
}

/** The methods of whoever has the mailbox, as our rows have them. */
async function listKept(email: string): Promise<Kept[]> {
  const { rows } = await shop.app.service.pool.query<Kept>(
    `select m.id, m.user_id as "userId", m.reference, m.ended_at is not null as ended from payment_methods m
     join users u on u.id = m.user_id where u.email = $1 order by m.id`,
    [email],
  );
  return rows;
}

/** Whose customer's a method is at Stripe; null = nobody's any more. */
async function customerOf(reference: string): Promise<string | null> {
  const [, method] = reference.split('/');
  const answer = await fetch(`${shop.double.apiUrl}/v1/payment_methods/${method}`, {
    headers: { authorization: `Bearer ${shop.account.secretKey}` },
  });
  return ((await answer.json()) as { customer: string | null }).customer;
}

/** A subscription that has ended, and the method that paid it. */
async function subscribeAndEnd(email: string): Promise<Kept> {
  const { body, text } = await buy(shop.app.test, {
    ...{ offersIds: [await makePlanOffer(shop.app.test, EUROS)], userEmail: email },
    ...{ processorId: shop.processorId, paymentMethod: 'pm_card_visa' },
  });
  expect(body?.data?.subscription, text).toBeDefined();
  await end(body.data.subscription.id);
  return onlyOf(await listKept(email));
}

const end = async (id: string) =>
  expect((await shop.app.test.patch(`/v0/subscriptions/${id}/cancel`, {})).status).toBe(200);

function onlyOf<T>(rows: readonly T[]): T {
  const [first] = rows;
  if (first === undefined || rows.length > 1) throw new Error(`${rows.length} of one`);
  return first;
}

const runDue = () => shop.app.wired.worker.runDue();

describe('a card of Stripe', () => {
  it('that is removed in the portal is detached there, once Stripe answers', async () => {
    const email = 'ada@example.com';
    const { id, reference } = await subscribeAndEnd(email);
    expect(await customerOf(reference)).toMatch(/^cus_/);
    const match = { account: shop.account.id, method: 'POST', path: '/v1/payment_methods/*/detach' };
    const fault = await shop.double.control<{ id: string }>('POST /faults', {
      ...{ match, do: { status: 500, effect: false } },
    });
    const browser = await signIn(shop.app, email);
    const removed = await browser.delete(`/payment-methods/${id}`);
    expect(removed.body?.data?.paymentMethods, removed.text).toEqual([]);
    await runDue();
    expect(await customerOf(reference)).toMatch(/^cus_/);
    await shop.double.control(`DELETE /faults/${fault.id}`);
    await advance(shop.app, shop.app.test.scope, DAY_MS);
    expect(await customerOf(reference)).toBeNull();
    expect(onlyOf(await listKept(email))).toMatchObject({ reference, ended: true });
  });

  it('of a silent processor is asked for thrice within an advance, and again behind it', async () => {
    const email = 'mia@example.com';
    const { id, reference } = await subscribeAndEnd(email);
    const match = { account: shop.account.id, method: 'POST', path: '/v1/payment_methods/*/detach' };
    const fault = await shop.double.control<{ id: string }>('POST /faults', {
      ...{ match, do: { status: 500, effect: false } },
    });
    const browser = await signIn(shop.app, email);
    expect((await browser.delete(`/payment-methods/${id}`)).status).toBe(200);
    await advance(shop.app, shop.app.test.scope, 14 * DAY_MS);
    const { rows } = await shop.app.service.pool.query(
      `select failures from due_work where kind = 'detach_method'`,
    );
    expect(rows).toMatchObject([{ failures: 3 }]);
    await shop.double.control(`DELETE /faults/${fault.id}`);
    await advance(shop.app, shop.app.test.scope, DAY_MS);
    expect(await customerOf(reference)).toBeNull();
  });

  it('that another user of the shop has as well stays until the last of them removes it', async () => {
    const { reference } = await subscribeAndEnd('bob@example.com');
    const [customer] = reference.split('/');
    const made = await shop.app.test.post('/v0/users/create', {
      ...{ email: 'eve@example.com', paymentData: { stripeCustomerId: customer } },
    });
    expect(made.status, made.text).toBe(200);
    for (const [email, after] of [
      ['bob@example.com', customer],
      ['eve@example.com', null],
    ] as const) {
      const browser = await signIn(shop.app, email);
      const { id } = onlyOf(await listKept(email));
      expect((await browser.delete(`/payment-methods/${id}`)).status).toBe(200);
      await runDue();
      expect(await customerOf(reference)).toBe(after);
    }
  });

  it('of a user who is erased is detached, and only then forgotten here', async () => {
    const email = 'zoe@example.com';
    const { id, userId, reference } = await subscribeAndEnd(email);
    expect((await shop.app.test.post(`/v0/users/${userId}/deletion/accept`, {})).status).toBe(200);
    await advance(shop.app, shop.app.test.scope, 15 * DAY_MS);
    expect(await customerOf(reference)).toBeNull();
    const { rows } = await shop.app.service.pool.query(
      'select reference from payment_methods where id = $1',
      [id],
    );
    expect(rows).toEqual([{ reference: `erased-${id}` }]);
  });
});

it('a payer of PayPal who is removed in the portal is kept there no more', async () => {
  const { app } = shop;
  const { clientId, clientSecret } = await paypal.openAccount();
  const connected = await app.test.post('/v0/processors/connect', {
    ...{ kind: 'paypal', name: 'PayPal', credentials: { clientId, clientSecret } },
  });
  expect(connected.status, connected.text).toBe(200);
  await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
  const page = await openPage(app, `/checkout/${await makePlanOffer(app.test, EUROS)}`);
  const pressed = await page.submit({
    card: undefined,
    payment: { option: 'redirect' },
    email: 'pia@example.com',
  });
  const back = new URL(await pressAtPayPal(pressed.body.data.checkout.action.url, 'approve'));
  await app.test.get(`${back.pathname}${back.search}`, { keys: 'none' });
  const { checkout } = (await page.show()).body.data;
  expect(checkout.status).toBe('paid');
  const { id, reference, userId } = onlyOf(await listKept('pia@example.com'));
  const { subscriptions } = (await app.test.get('/v0/subscriptions/list', { query: { userId } })).body.data;
  await end(onlyOf(subscriptions as Array<{ id: string }>).id);
  const browser = await signIn(app, 'pia@example.com');
  expect((await browser.delete(`/payment-methods/${id}`)).status).toBe(200);
  await runDue();
  const token = await fetch(`${paypal.apiUrl}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const path = `/v3/vault/payment-tokens/${reference.replace('paypal_', '')}`;
  const answer = await fetch(`${paypal.apiUrl}${path}`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(answer.status).toBe(404);
});
