/** An account of Stripe, connected and charged, against its stand-in as a process of its own. */
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { issueKeyPair } from '../../src/flows/workspaces/issue-key-pair.ts';
import { buy, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { type StripeAccount, type StripeDouble, startStripeDouble } from '../support/stripe-double.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const EUROS = { currency: 'EUR', taxBehavior: 'inclusive' };
let double: StripeDouble;
let app: TestApp;
let account: StripeAccount;
let processorId: string;
let offerId: string;
const logged: string[] = [];

beforeAll(async () => {
  double = await startStripeDouble();
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk));
      done();
    },
  });
  const log = pino({ level: 'trace' }, sink);
  app = await createTestApp(
    { STRIPE_API_URL: double.apiUrl, SECRETS_KEY: KEY, PROCESSOR_TIMEOUT_MS: '30000' },
    log,
  );
  account = await double.openAccount();
  offerId = await makeOffer(app.test, EUROS);
  const connected = await connect(account);
  expect(connected.status, connected.text).toBe(200);
  processorId = connected.body.data.processor.id;
});
afterEach(() => expectInvariants(app));
afterAll(async () => {
  await app?.close();
  await double?.close();
});

const toCredentials = ({ secretKey, publishableKey }: StripeAccount) => ({ secretKey, publishableKey });

function connect(of: StripeAccount, fields: Record<string, unknown> = {}) {
  const body = { kind: 'stripe', name: 'Cards', credentials: toCredentials(of), ...fields };
  return app.test.post('/v0/processors/connect', body);
}

function purchase(paymentMethod: string, fields: Record<string, unknown> = {}) {
  return buy(app.test, { offersIds: [offerId], processorId, paymentMethod, ...fields });
}

/** A live pair that may change processors, which no pair may without being told so by name. */
async function issueLivePair({ service, live }: TestApp) {
  const terms = {
    ...{ name: 'Payments', nowMs: Date.now(), scopes: ['processors:write'], readRequiresSecret: false },
  };
  return inTransaction(service.db, (tx) => issueKeyPair(tx, live.scope, { ids: service.ids, terms }));
}

interface Books {
  charges: Record<string, { taken: number; refunded: number; disputed: number; currency: string }>;
}
const booksOf = ({ id }: StripeAccount) => double.control<Books>(`GET /books?account=${id}`);

describe('the page of a checkout', () => {
  const submit = async (token: string) => {
    const page = await openPage(app, `/checkout/${offerId}`);
    return page.submit({ card: undefined, payment: { option: 'token', token } });
  };

  it('takes no token where its own store’s sandbox is paid', async () => {
    await expectRefusal(submit('ctoken_1'), 409, 'processor_not_configured');
  });

  it('P52 refuses tokens that Stripe does not know before anything is ordered, and nobody is alarmed', async () => {
    await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
    const count = async (table: 'orders' | 'mails') =>
      (await app.service.pool.query(`select count(*)::int as count from ${table}`)).rows[0].count as number;
    const before = [await count('orders'), await count('mails')];
    const charges = Object.keys((await booksOf(account)).charges).length;
    for (const token of ['ctoken_unknown', 'ctoken_0', 'tok_visa', 'pi_1', 'x'])
      await expectRefusal(submit(token), 400, 'payment_token_invalid');
    expect([await count('orders'), await count('mails')]).toEqual(before);
    for (let number = 0; number < 5; number += 1)
      await expectRefusal(purchase(`pm_card_madeup${number}`), 400, 'payment_token_invalid');
    expect(Object.keys((await booksOf(account)).charges).length).toBe(charges);
    const { health } = (await app.test.get(`/v0/processors/${processorId}`)).body.data.processor;
    expect(health.state).toBe('ok');
    expect(await count('mails')).toBe(before[1]);
    await app.test.patch('/v0/settings/update', { testCheckout: 'sandbox' });
  });

  it('answers a purchase by a token that pays nothing the same when it is asked again', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = {
      ...{ offersIds: [offerId], processorId, paymentMethod: 'pm_card_madeup' },
      ...{ userEmail: 'a@example.com', billingDetails: { countryCode: 'DE' } },
    };
    for (let tries = 0; tries < 2; tries += 1)
      await expectRefusal(
        app.test.post('/v0/test-purchases/create', body, { headers }),
        400,
        'payment_token_invalid',
      );
  });
});

describe('a live store', () => {
  it('P05 is paid by fields of Stripe, and refuses a card’s own digits', async () => {
    const live = await double.openAccount({ mode: 'live' });
    const body = { kind: 'stripe', name: 'Live', credentials: toCredentials(live) };
    const connected = await app.live.post('/v0/processors/connect', body, { keys: await issueLivePair(app) });
    expect(connected.status, connected.text).toBe(200);
    const page = await openPage(app, `/checkout/${await makeOffer(app.live, EUROS)}`);
    const { checkout } = (await page.show()).body.data;
    expect(checkout).toMatchObject({
      status: 'open',
      quote: {
        methods: ['token'],
        processorFields: { publishableKey: live.publishableKey, currency: 'eur' },
      },
    });
    await expectRefusal(page.submit(), 400, 'card_data_refused');
  });
});

describe('P01 an account is connected', () => {
  it('shows what it is, and tells nobody its keys', async () => {
    const { body, text } = await app.test.get(`/v0/processors/${processorId}`);
    expect(body.data.processor).toMatchObject({
      ...{
        kind: 'stripe',
        status: 'active',
        accountId: account.id,
        accountCountry: 'DE',
        accountCurrency: 'EUR',
      },
      keyLast4: account.secretKey.slice(-4),
    });
    expect(text).not.toContain(account.secretKey);
  });

  it('once in a store', async () => {
    await expectRefusal(connect(account), 409, 'processor_already_connected');
  });

  it('with a pair of the store’s mode alone', async () => {
    const live = await double.openAccount({ mode: 'live' });
    const answer = await connect(live);
    await expectRefusal(Promise.resolve(answer), 400, 'processor_key_wrong_mode');
    expect(answer.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'credentials.secretKey',
      'credentials.publishableKey',
    ]);
  });

  it('with keys of one account', async () => {
    const [one, other] = [await double.openAccount(), await double.openAccount()];
    const answer = await connect({ ...one, publishableKey: other.publishableKey });
    await expectRefusal(Promise.resolve(answer), 400, 'processor_permission_missing');
    expect(answer.body.error.details).toEqual([
      { path: 'credentials.publishableKey', message: 'is of another account than the secret key' },
    ]);
  });

  it('with a key that Stripe knows', async () => {
    const unknown = { ...account, secretKey: 'sk_test_none' };
    await expectRefusal(connect(unknown), 400, 'processor_key_refused');
  });

  it('with all permissions, and is told of all that lack', async () => {
    const narrow = await double.openAccount({ permissions: ['payment_intents:write'] });
    const answer = await connect({ ...narrow, secretKey: narrow.restrictedKey ?? '' });
    await expectRefusal(Promise.resolve(answer), 400, 'processor_permission_missing');
    const messages = answer.body.error.details.map(({ message }: { message: string }) => message);
    const lacking = ['may not read Account', 'may not write Customers', 'may not read Disputes'];
    expect(messages).toEqual(expect.arrayContaining(lacking));
    expect(messages).not.toContain('may not write PaymentIntents');
    const { processors } = (await app.test.get('/v0/processors/list')).body.data;
    expect(processors.map(({ accountId }: { accountId: string }) => accountId)).not.toContain(narrow.id);
  });

  it.each([
    ['POST', '/v1/webhook_endpoints', 'may not write Webhook Endpoints'],
    ['DELETE', '/v1/webhook_endpoints/*', 'may not write Webhook Endpoints'],
    ['POST', '/v1/payment_method_domains/*/validate', 'may not write Payment Method Domains'],
    ['GET', '/v1/confirmation_tokens/*', 'may not read Confirmation Tokens'],
    ['POST', '/v1/setup_intents', 'may not write SetupIntents'],
  ])('not where Stripe refuses %s %s, and it is named', async (method, path, message) => {
    const of = await double.openAccount();
    const match = { account: of.id, method, path };
    const { id } = await double.control('POST /faults', { match, do: { status: 403 } });
    const answer = await connect(of);
    await expectRefusal(Promise.resolve(answer), 400, 'processor_permission_missing');
    const messages = answer.body.error.details.map((one: { message: string }) => one.message);
    expect(messages).toEqual([message]);
    await double.control(`DELETE /faults/${String(id)}`);
    const headers = { authorization: `Bearer ${of.secretKey}` };
    const left = await fetch(`${double.apiUrl}/v1/webhook_endpoints`, { headers });
    expect(((await left.json()) as { data: unknown[] }).data).toEqual([]);
    expect((await connect(of)).status).toBe(200);
  });

  it('not where Stripe gives no answer', async () => {
    const of = await double.openAccount();
    const { id } = await double.control('POST /faults', {
      match: { account: of.id },
      do: { drop: 'before' },
    });
    await expectRefusal(connect(of), 503, 'processor_unreachable');
    await double.control(`DELETE /faults/${String(id)}`);
    expect((await connect(of)).status).toBe(200);
  });

  it('by the fields of its kind alone', async () => {
    await expectRefusal(connect(account, { iban: 'DE89370400440532013000' }), 400, 'invalid_input');
    await expectRefusal(connect(account, { kind: 'manual' }), 400, 'invalid_input');
    await expectRefusal(connect(account, { methods: ['paypal'] }), 400, 'invalid_input');
    for (const told of [{ iban: 'DE89370400440532013000' }, { methods: ['card', 'transfer'] }])
      await expectRefusal(app.test.patch(`/v0/processors/${processorId}/update`, told), 400, 'invalid_input');
  });

  it('in live over https alone, by a pair that is named for it', async () => {
    const shop = await createTestApp({
      ...{ STRIPE_API_URL: double.apiUrl, SECRETS_KEY: KEY, PUBLIC_URL: 'http://shop.example' },
    });
    const { live } = shop;
    const of = await double.openAccount({ mode: 'live' });
    const body = { kind: 'stripe', name: 'Cards', credentials: toCredentials(of) };
    await expectRefusal(live.post('/v0/processors/connect', body), 403, 'insufficient_scope');
    const keys = await issueLivePair(shop);
    await expectRefusal(live.post('/v0/processors/connect', body, { keys }), 409, 'public_url_not_secure');
    await shop.close();
  });

  it('again after it was retired, as the one that it was', async () => {
    const of = await double.openAccount();
    const { id } = (await connect(of)).body.data.processor;
    await app.test.patch(`/v0/processors/${id}/archive`, {});
    const again = await connect(of, { name: 'Back' });
    expect(again.body.data.processor).toMatchObject({ id, name: 'Back', status: 'active', retiredAt: null });
  });
});

describe('keys are replaced and checked', () => {
  it('by others of the same account alone, and a revoked one is told', async () => {
    const of = await double.openAccount();
    const { id } = (await connect(of)).body.data.processor;
    const path = (verb: string) => `/v0/processors/${id}/${verb}`;
    expect((await app.test.post(path('check'), {})).body.data.processor.health.state).toBe('ok');
    const renewed = await double.control<StripeAccount>(`POST /accounts/${of.id}/revoke`);
    const { health } = (await app.test.post(path('check'), {})).body.data.processor;
    expect(health).toMatchObject({ state: 'broken', reason: 'credentials_refused' });
    const unread = await app.test.post(path('reconcile'), { from: 1, to: 2 });
    expect(unread.body.error.message).toBe('The processor is broken: it lets nobody read its books.');
    const wrong = await app.test.post(path('rotateCredentials'), { credentials: toCredentials(account) });
    await expectRefusal(Promise.resolve(wrong), 409, 'processor_other_account');
    const credentials = toCredentials(renewed);
    const healed = await app.test.post(path('rotateCredentials'), { credentials });
    expect(healed.body.data.processor).toMatchObject({
      health: { state: 'ok' },
      keyLast4: renewed.secretKey.slice(-4),
    });
  });

  it('are none of a kind that has no account', async () => {
    const { processors } = (await app.test.get('/v0/processors/list')).body.data;
    const sandbox = processors.find(({ kind }: { kind: string }) => kind === 'sandbox');
    await expectRefusal(app.test.post(`/v0/processors/${sandbox.id}/check`, {}), 409, 'processor_state');
    const none = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';
    await expectRefusal(app.test.post(`/v0/processors/${none}/check`, {}), 404, 'not_found');
  });
});

describe('a test purchase over Stripe', () => {
  it('is paid by one object, with its fee, and given back', async () => {
    const { status, body, text } = await purchase('pm_card_visa');
    expect(status, text).toBe(200);
    const { payment, order } = body.data;
    expect(payment).toMatchObject({ status: 'PAID', fee: 55, charges: [{ status: 'succeeded' }] });
    const [{ id: chargeId }] = payment.charges;
    expect((await booksOf(account)).charges[chargeId]).toMatchObject({ taken: 1999, refunded: 0 });
    const half = await app.test.post(`/v0/orders/${order.id}/refunds`, { amount: 1000 });
    expect(half.body.data.refund, half.text).toMatchObject({ status: 'succeeded', amount: 1000 });
    expect((await booksOf(account)).charges[chargeId]).toMatchObject({ taken: 1999, refunded: 1000 });
  });

  it.each([
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds', 'soft'],
    ['pm_card_visa_chargeDeclinedLostCard', 'lost_card', 'hard'],
    // Its network advises to try it again.
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'soft'],
    ['pm_card_radarBlock', 'fraudulent', 'hard'],
  ])('by %s is declined: %s, which is %s', async (method, reason, decline) => {
    const { body, text } = await purchase(method);
    expect(body.data.payment, text).toMatchObject({ status: 'FAILED' });
    const [charge] = body.data.payment.charges;
    expect(charge).toMatchObject({ status: 'failed', failure: { reason, decline } });
    expect((await booksOf(account)).charges[charge.id]).toMatchObject({ taken: 0 });
  });

  it('that needs the buyer waits for them at Stripe, and keeps no secret of it', async () => {
    const { body } = await purchase('pm_card_authenticationRequired');
    expect(body.data.payment).toMatchObject({ status: 'PENDING' });
    const { rows } = await app.service.pool.query('select action_path from charges where id = $1', [
      body.data.payment.charges[0].id,
    ]);
    const path = rows[0].action_path as string;
    expect(path).toMatch(/^\/pay\/[\w.-]+\/authenticate$/);
    const sent = await app.app.inject({ method: 'GET', url: path });
    expect(sent.statusCode).toBe(303);
    expect(sent.headers.location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/authenticate\/pi_/);
    expect(sent.headers['cache-control']).toBe('no-store');
  });

  it('is of a processor that is there, and by its own words', async () => {
    const none = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';
    await expectRefusal(purchase('pm_card_visa', { processorId: none }), 400, 'unknown_reference');
    await expectRefusal(purchase('pm_card_visa', { card: '4242424242424242' }), 400, 'invalid_input');
    await expectRefusal(purchase('pm_card_visa', { wallet: 'link' }), 400, 'invalid_input');
    const unnamed = await buy(app.test, { offersIds: [offerId], processorId });
    expect(unnamed.body.error.details).toEqual([{ path: 'paymentMethod', message: 'is required' }]);
    const alone = await buy(app.test, { offersIds: [offerId], paymentMethod: 'pm_card_visa' });
    await expectRefusal(Promise.resolve(alone), 400, 'invalid_input');
  });

  it('whose answer was dropped is found by the look at it, and paid once', async () => {
    const fault = {
      match: { account: account.id, path: '/v1/payment_intents/*/confirm', method: 'POST' },
      do: { drop: 'after' },
      times: 1,
    };
    await double.control('POST /faults', fault);
    const { body } = await purchase('pm_card_visa');
    await advance(app, app.test.scope, 60_000);
    const { payment } = (await app.test.get(`/v0/payments/${body.data.payment.id}`)).body.data;
    expect(payment.status).toBe('PAID');
    expect((await booksOf(account)).charges[payment.charges[0].id]).toMatchObject({ taken: 1999 });
  });
});

describe('P18 a subscription over Stripe', () => {
  it('renews by the method that its first payment kept', async () => {
    const planId = await makePlanOffer(app.test, { ...EUROS, price: 900 });
    const { body, text } = await purchase('pm_card_visa', {
      offersIds: [planId],
      userEmail: 'bob@example.com',
    });
    expect(body.data.subscription, text).toMatchObject({ status: 'active' });
    await advance(app, app.test.scope, 32 * DAY_MS);
    const list = await app.test.get(`/v0/payments/list?subscriptionId=${body.data.subscription.id}`);
    const paid = list.body.data.payments.filter(({ status }: { status: string }) => status === 'PAID');
    expect(paid.length, list.text).toBeGreaterThanOrEqual(2);
    const books = await booksOf(account);
    for (const { charges } of paid) expect(books.charges[charges[0].id]).toMatchObject({ taken: 900 });
  });
});

describe('P02 nothing of the keys is written', () => {
  it('to the log, and to the store but sealed', async () => {
    const { rows } = await app.service.pool.query('select * from processors where kind = $1', ['stripe']);
    expect(rows.length).toBeGreaterThan(0);
    const { rows: audits } = await app.service.pool.query('select * from audit_log');
    const { rows: kept } = await app.service.pool.query('select * from idempotency_keys');
    const { rows: charges } = await app.service.pool.query('select * from charges');
    const written = [
      JSON.stringify([rows, audits, kept, charges], (_key, value) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
      ...logged,
    ].join('\n');
    const found = /.{0,200}(sk_test_\w|pk_test_\w|_secret_\w|whsec_\w)/.exec(written);
    expect(found?.[0] ?? null).toBeNull();
  });

  it('and a sealed value that is moved to another row does not open', async () => {
    const [one, other] = [await double.openAccount(), await double.openAccount()];
    const ids = [(await connect(one)).body.data.processor.id, (await connect(other)).body.data.processor.id];
    await app.service.pool.query(
      'update processors set credentials = (select credentials from processors where id = $1) where id = $2',
      ids,
    );
    const moved = await buy(app.test, {
      ...{ offersIds: [offerId], processorId: ids[1], paymentMethod: 'pm_card_visa' },
    });
    expect(moved.body.data.payment.status).toBe('PENDING');
    expect((await booksOf(one)).charges).toEqual({});
    const { body } = await app.test.post(`/v0/processors/${ids[1]}/check`, {});
    expect(body.data.processor.health).toMatchObject({ state: 'broken' });
  });
});
