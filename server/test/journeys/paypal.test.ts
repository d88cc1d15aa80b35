/** An account of PayPal, connected and charged, against its stand-in as a process of its own. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { providerOf } from '../../src/flows/payments/provider-of.ts';
import { keepNotifications } from '../../src/flows/processors/take-notification.ts';
import { findPaymentMethod } from '../../src/resources/payment-methods/payment-methods.queries.ts';
import { findProcessor } from '../../src/resources/processors/processors.queries.ts';
import { getClock } from '../../src/resources/workspaces/workspaces.queries.ts';
import { buy, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import {
  type PayPalAccount,
  type PayPalDouble,
  pressAtPayPal,
  startPayPalDouble,
} from '../support/paypal-double.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const EUROS = { currency: 'EUR', taxBehavior: 'inclusive' };
const REDIRECT = { card: undefined, payment: { option: 'redirect' } };
let double: PayPalDouble;
let app: TestApp;
let account: PayPalAccount;
let processorId: string;

beforeAll(async () => {
  double = await startPayPalDouble();
  app = await createTestApp({
    ...{ PAYPAL_SANDBOX_API_URL: double.apiUrl, SECRETS_KEY: KEY, PROCESSOR_TIMEOUT_MS: '30000' },
  });
  account = await double.openAccount();
  const connected = await connect(account);
  expect(connected.status, connected.text).toBe(200);
  processorId = connected.body.data.processor.id;
  await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
});
afterEach(() => expectInvariants(app));
afterAll(async () => {
  await app?.close();
  await double?.close();
});

function connect({ clientId, clientSecret }: PayPalAccount, more: object = {}) {
  const credentials = { clientId, clientSecret, ...more };
  return app.test.post('/v0/processors/connect', { kind: 'paypal', name: 'PayPal', credentials });
}

interface Books {
  charges: Record<string, { taken: number; refunded: number; disputed: number }>;
  balance: Record<string, number>;
}
/** The newest charge first. */
const readBooks = () => double.control<Books>(`GET /books?account=${account.id}`);
const sumTaken = async () =>
  Object.values((await readBooks()).charges).reduce((sum, one) => sum + one.taken, 0);

/** Presses pay: answers the page, and where PayPal asks. */
async function begin(offerId: string) {
  const page = await openPage(app, `/checkout/${offerId}`);
  const answer = await page.submit(REDIRECT);
  expect(answer.status, answer.text).toBe(200);
  const { checkout } = answer.body.data;
  expect(checkout).toMatchObject({ status: 'requires_action', action: { url: expect.any(String) } });
  return { page, url: checkout.action.url as string };
}

const readAnew = () => app.service.books.readStore(app.test.scope, { anew: true });

/** As its webhook does: this very machine is told nothing. */
async function tellGone(vaultId: string): Promise<void> {
  const row = await findProcessor(app.service.db, app.test.scope, processorId);
  const { offsetMs } = await getClock(app.service.db, app.test.scope);
  const ctx = { ...app.service, nowMs: app.service.realNowMs() + offsetMs };
  const object = { kind: 'method' as const, processorId: `paypal_${vaultId}`, ofCharge: null, ownId: null };
  const type = 'VAULT.PAYMENT-TOKEN.DELETED';
  const notification = { id: `WH-${vaultId}`, type, happenedAtMs: ctx.nowMs, object };
  const kept = { connectionId: row?.id ?? '', notifications: [notification], wasRead: false };
  await inTransaction(app.service.db, (tx) => keepNotifications(ctx, app.test.scope, { tx, ...kept }));
}

/** Where PayPal leads back to, as a browser follows it. */
const follow = (address: string) => {
  const { pathname, search } = new URL(address);
  return app.test.get(`${pathname}${search}`, { keys: 'none' });
};

describe('an account', () => {
  it('P01 is connected by its client id and secret, which nobody is told', async () => {
    const { body, text } = await app.test.get(`/v0/processors/${processorId}`);
    expect(body.data.processor).toMatchObject({
      ...{ kind: 'paypal', accountId: account.id, accountCountry: 'DE', accountCurrency: 'EUR' },
      keyLast4: account.clientId.slice(-4),
      methods: [{ type: 'paypal', status: 'active' }],
    });
    expect(text).not.toContain(account.clientSecret);
    await expectRefusal(connect(account), 409, 'processor_already_connected');
    const { clientId, clientSecret } = account;
    const copied = { clientId: ` ${clientId}`, clientSecret: `${clientSecret}  ` };
    await expectRefusal(connect(account, copied), 409, 'processor_already_connected');
  });

  it('is refused with what PayPal does not know, and with what is another kind’s', async () => {
    const other = await double.openAccount();
    await expectRefusal(connect(other, { clientSecret: 'wrong' }), 400, 'processor_key_refused');
    const foreign = await connect(other, { secretKey: 'sk_test_1' });
    expect([foreign.status, foreign.body.error.details[0].path]).toEqual([400, 'credentials.secretKey']);
    const missing = await connect(other, { clientSecret: undefined });
    expect([missing.status, missing.body.error.details[0].path]).toEqual([400, 'credentials.clientSecret']);
  });

  it('is not asked for where its credentials cannot be sealed', async () => {
    const keyless = await createTestApp({
      ...{ PAYPAL_SANDBOX_API_URL: double.apiUrl, DATABASE_URL: 'postgres://127.0.0.1/its-own' },
    });
    const { clientId, clientSecret } = await double.openAccount();
    const asked = {
      kind: 'paypal',
      name: 'PayPal',
      credentials: { clientId, clientSecret: `${clientSecret}x` },
    };
    await expectRefusal(keyless.test.post('/v0/processors/connect', asked), 409, 'secrets_key_missing');
    await keyless.close();
  });

  it.each([
    ['paypal', ['credentials.clientId', 'credentials.clientSecret']],
    ['stripe', ['credentials.secretKey', 'credentials.publishableKey']],
  ])('of %s is refused without credentials, each of which is named', async (kind, paths) => {
    const blank = Object.fromEntries(paths.map((path) => [path.split('.')[1], '  ']));
    for (const credentials of [undefined, {}, blank]) {
      const answer = await app.test.post('/v0/processors/connect', { kind, name: 'Bare', credentials });
      const details = paths.map((path) => ({ path, message: 'is required' }));
      expect(answer.body.error).toMatchObject({ code: 'invalid_input', details });
    }
  });
});

describe('P44 the page of a checkout', () => {
  it('sends the buyer to PayPal and is paid once they are back', async () => {
    const { page, url } = await begin(await makeOffer(app.test, EUROS));
    expect((await page.show()).body.data.checkout.status).toBe('requires_action');
    const back = await pressAtPayPal(url, 'approve');
    expect(new URL(back).pathname).toMatch(/^\/checkout\/.*\/return$/);
    expect((await follow(back)).status).toBe(303);
    const { checkout } = (await page.show()).body.data;
    expect(checkout.status).toBe('paid');
    expect(Object.values((await readBooks()).charges).at(0)).toMatchObject({ taken: 1999, refunded: 0 });
  });

  it('is paid though the buyer closed the browser, and once', async () => {
    const { page, url } = await begin(await makeOffer(app.test, EUROS));
    const before = await sumTaken();
    await pressAtPayPal(url, 'approve');
    await advance(app, app.test.scope, DAY_MS);
    expect((await page.show()).body.data.checkout.status).toBe('paid');
    expect((await sumTaken()) - before).toBe(1999);
  });

  it('P44 is paid though the buyer closed the browser and nobody was told, by what PayPal lists of its events', async () => {
    const { page, url } = await begin(await makeOffer(app.test, EUROS));
    const before = await sumTaken();
    await pressAtPayPal(url, 'approve');
    await app.service.books.readStore(app.test.scope, { anew: true });
    await app.wired.worker.runDue();
    expect((await page.show()).body.data.checkout.status).toBe('paid');
    expect((await sumTaken()) - before).toBe(1999);
    const read = await app.service.db
      .selectFrom('processorEvents')
      .select('type')
      .where('connectionId', '=', processorId)
      .where('wasRead', '=', true)
      .execute();
    expect(read).toContainEqual({ type: 'CHECKOUT.ORDER.APPROVED' });
  });

  it('says so where PayPal declines, and takes another try', async () => {
    const { page, url } = await begin(await makeOffer(app.test, EUROS));
    await follow(await pressAtPayPal(url, 'decline'));
    const { checkout } = (await page.show()).body.data;
    expect(checkout).toMatchObject({ status: 'open', lastError: expect.anything() });
    const again = await page.submit(REDIRECT);
    await follow(await pressAtPayPal(again.body.data.checkout.action.url, 'approve'));
    expect((await page.show()).body.data.checkout.status).toBe('paid');
  });

  it('is where a purchase by the API over PayPal waits for its buyer, who is told of no method there', async () => {
    const asked = { offersIds: [await makeOffer(app.test, EUROS)], processorId };
    const named = await buy(app.test, { ...asked, paymentMethod: 'pm_card_visa' });
    expect(named.status).toBe(400);
    expect(named.body.error.details).toEqual([
      { path: 'paymentMethod', message: 'is nothing that paypal takes' },
    ]);
    const { status, body } = await buy(app.test, asked);
    expect([status, body.data.order.status]).toEqual([200, 'PENDING']);
    const pay = new URL(body.data.payment.payUrl).pathname.replace('/pay/', '/payment-pages/');
    const { debt } = (await app.test.get(pay, { keys: 'none' })).body.data;
    expect(debt.status).toBe('requires_action');
    await follow(await pressAtPayPal(debt.actionUrl, 'approve'));
    await advance(app, app.test.scope, DAY_MS);
    const { order } = (await app.test.get(`/v0/orders/${body.data.order.id}`)).body.data;
    expect(order.status).toBe('PAID');
  });

  it.each(['bank', 'review'] as const)(
    'says at once that PayPal waits for what was approved (%s)',
    async (funding) => {
      const { page, url } = await begin(await makeOffer(app.test, EUROS));
      await follow(await pressAtPayPal(url, 'approve', funding));
      const { checkout } = (await page.show()).body.data;
      expect(checkout).toMatchObject({ status: 'processing', action: null });
      const { charges } = (await app.test.get(`/v0/orders/${checkout.order.id}`)).body.data.payments[0];
      expect(charges).toMatchObject([{ status: 'pending' }]);
      await app.wired.worker.runDue();
      const mails = await app.test.get('/v0/mails/list', { query: { orderId: checkout.order.id } });
      expect(mails.body.data.mails.map(({ kind }: { kind: string }) => kind)).toEqual(['payment_processing']);
      const { object } = await app.service.db
        .selectFrom('charges')
        .select('processorId as object')
        .where('id', '=', charges[0].id)
        .executeTakeFirstOrThrow();
      await double.control(`POST /objects/${object}/settle`, {});
      await readAnew();
      await advance(app, app.test.scope, DAY_MS);
      expect((await page.show()).body.data.checkout.status).toBe('paid');
    },
  );

  it('loses an answer after its effect, and takes the money once', async () => {
    const { page, url } = await begin(await makeOffer(app.test, EUROS));
    const before = await sumTaken();
    await double.control('POST /faults', {
      ...{ match: { path: '/v2/checkout/orders/*/capture' }, do: { drop: 'after' }, times: 1 },
    });
    await follow(await pressAtPayPal(url, 'approve'));
    await advance(app, app.test.scope, DAY_MS);
    expect((await page.show()).body.data.checkout.status).toBe('paid');
    expect((await sumTaken()) - before).toBe(1999);
  });

  it('gives money back on what it has taken', async () => {
    const { page, url } = await begin(await makeOffer(app.test, EUROS));
    await follow(await pressAtPayPal(url, 'approve'));
    const { orderNumber } = (await page.show()).body.data.checkout.receipt;
    const given = await app.test.post(`/v0/orders/${orderNumber}/refunds`, { amount: 500 });
    expect(given.body.data?.refund.status, given.text).toBe('succeeded');
    expect(Object.values((await readBooks()).charges).at(0)).toMatchObject({ taken: 1999, refunded: 500 });
  });
});

describe('P44 what happens at PayPal alone', () => {
  const purchase = async () => {
    const { page, url } = await begin(await makeOffer(app.test, EUROS));
    await follow(await pressAtPayPal(url, 'approve'));
    const { orderNumber } = (await page.show()).body.data.checkout.receipt;
    const [newest] = Object.keys((await readBooks()).charges);
    const { object } = await app.service.db
      .selectFrom('charges')
      .select('processorId as object')
      .where('id', '=', newest ?? '')
      .executeTakeFirstOrThrow();
    return { orderNumber: String(orderNumber), object: String(object) };
  };
  const orderOf = async (orderNumber: string) =>
    (await app.test.get(`/v0/orders/${orderNumber}`)).body.data.order;
  const ask = async (method: string, path: string, body?: object) => {
    const keys = Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64');
    const given = await fetch(`${double.apiUrl}/v1/oauth2/token`, {
      ...{ method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) },
      headers: { authorization: `Basic ${keys}` },
    });
    const { access_token: token } = (await given.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${double.apiUrl}${path}`, {
      ...{ method, headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return answer.json() as Promise<{
      purchase_units: Array<{ payments: { captures: Array<{ id: string }> } }>;
    }>;
  };

  it('P39 is a refund as soon as it is told, once', async () => {
    const { orderNumber, object } = await purchase();
    const { purchase_units: units } = await ask('GET', `/v2/checkout/orders/${object}`);
    const capture = units[0]?.payments.captures[0]?.id;
    const amount = { currency_code: 'EUR', value: '2.00' };
    await ask('POST', `/v2/payments/captures/${capture}/refund`, { amount });
    for (let times = 0; times < 2; times += 1) {
      await readAnew();
      await advance(app, app.test.scope, 1000);
      expect(await orderOf(orderNumber)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 200 });
    }
  });

  it('P40 is a lost dispute where a payment was reversed', async () => {
    const { orderNumber, object } = await purchase();
    await double.control(`POST /objects/${object}/return`, {});
    await readAnew();
    await advance(app, app.test.scope, 1000);
    const order = await orderOf(orderNumber);
    expect(order).toMatchObject({ status: 'REFUNDED', refundedValue: 1999 });
    const { disputes } = (await app.test.get('/v0/disputes/list')).body.data;
    const own = disputes.filter(({ orderId }: { orderId: string }) => orderId === order.id);
    expect(own).toMatchObject([{ stage: 'lost', amount: 1999, reason: 'reversed' }]);
  });
});

describe('P44 a subscription', () => {
  it('renews by the payer who was kept', async () => {
    const { page, url } = await begin(await makePlanOffer(app.test, { price: 1000, ...EUROS }));
    await follow(await pressAtPayPal(url, 'approve'));
    expect((await page.show()).body.data.checkout.status).toBe('paid');
    const before = await sumTaken();
    await advance(app, app.test.scope, 32 * DAY_MS);
    expect((await sumTaken()) - before).toBe(1000);
    // P25: by the order alone it is known what it was for, should our rows of it be lost.
    const charge = await app.service.db
      .selectFrom('charges')
      .innerJoin('payments', 'payments.id', 'charges.paymentId')
      .select(['charges.id', 'charges.processorId', 'paymentId', 'orderId', 'subscriptionId', 'periodStart'])
      .orderBy('charges.createdAt', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const of = { processor: 'paypal', connectionId: processorId };
    const provider = await providerOf(app.service, app.test.scope, of);
    expect((await provider?.books?.findCharge(String(charge.processorId)))?.metadata).toMatchObject({
      ...{ cf_store: `${app.test.scope.workspaceId}:test`, cf_charge: charge.id, cf_purpose: 'renewal' },
      ...{ cf_payment: charge.paymentId, cf_order: charge.orderId, cf_subscription: charge.subscriptionId },
      ...{ cf_install: expect.any(String), cf_period: String(charge.periodStart) },
    });
  });

  it.each([
    ['by what PayPal tells', () => Promise.resolve()],
    ['by what PayPal lists, where nobody was told', () => readAnew()],
  ])('whose payer took the agreement back asks for another method, %s', async (how, listen) => {
    const { page, url } = await begin(await makePlanOffer(app.test, { price: 1000, ...EUROS }));
    await follow(await pressAtPayPal(url, 'approve'));
    const { orderNumber } = (await page.show()).body.data.checkout.receipt;
    const { order } = (await app.test.get(`/v0/orders/${orderNumber}`)).body.data;
    const { methodId } = await app.service.db
      .selectFrom('subscriptions')
      .select('paymentMethodId as methodId')
      .where('orderId', '=', order.id)
      .executeTakeFirstOrThrow();
    const kept = () => findPaymentMethod(app.service.db, app.test.scope, methodId);
    const reference = (await kept())?.reference ?? '';
    const gone = reference.replace('paypal_', '');
    await double.control(`POST /objects/${gone}/update`, { deleted: true });
    if (how.endsWith('tells')) await tellGone(gone);
    await listen();
    await advance(app, app.test.scope, 1000);
    expect((await kept())?.endedAt).not.toBeNull();
    await advance(app, app.test.scope, 32 * DAY_MS);
    const { mails } = (await app.test.get('/v0/mails/list', { query: { orderId: order.id } })).body.data;
    const kinds = mails.map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind: string) => kind === 'payment_method_gone')).toHaveLength(1);
    expect(kinds).toContain('payment_failed');
    const { subscription } = (await app.test.get(`/v0/orders/${orderNumber}`)).body.data;
    expect(subscription.status).toBe('past_due');
  });

  it('begins its trial with a payer who is kept without a payment', async () => {
    const trial = { trialInterval: 'day', trialIntervalCount: 7 };
    const { page, url } = await begin(await makePlanOffer(app.test, { price: 1000, ...trial, ...EUROS }));
    const before = await sumTaken();
    await follow(await pressAtPayPal(url, 'approve'));
    expect((await page.show()).body.data.checkout.status).toBe('paid');
    expect(await sumTaken()).toBe(before);
    await advance(app, app.test.scope, 8 * DAY_MS);
    expect((await sumTaken()) - before).toBe(1000);
  });
});
