/** PayPal's books held against ours: what it took, gave back, disputed and kept, by its report of transactions. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { sizeOf, tellFigures } from '../support/full-size.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import {
  type PayPalAccount,
  type PayPalDouble,
  pressAtPayPal,
  startPayPalDouble,
} from '../support/paypal-double.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const HOUR_MS = 3_600_000;
let double: PayPalDouble;
let app: TestApp;
let account: PayPalAccount;
let processorId: string;
let offerId: string;

// In the past, so that its clock may go on until its report is whole.
beforeAll(async () => {
  double = await startPayPalDouble({ now: new Date(Date.now() - 10 * DAY_MS).toISOString() });
  app = await createTestApp({
    ...{ PAYPAL_SANDBOX_API_URL: double.apiUrl, SECRETS_KEY: KEY, PROCESSOR_TIMEOUT_MS: '30000' },
    PROCESSOR_RATE: '0',
  });
  account = await double.openAccount();
  const { clientId, clientSecret } = account;
  const connected = await app.test.post('/v0/processors/connect', {
    ...{ kind: 'paypal', name: 'PayPal', credentials: { clientId, clientSecret } },
  });
  expect(connected.status, connected.text).toBe(200);
  processorId = connected.body.data.processor.id;
  await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
  offerId = await makeOffer(app.test, { currency: 'EUR', taxBehavior: 'inclusive' });
});
afterEach(() => expectInvariants(app));
afterAll(async () => {
  await app?.close();
  await double?.close();
});

interface Books {
  charges: Record<string, { taken: number; refunded: number; disputed: number }>;
  balance: { eur: number };
}
const readBooks = () => double.control<Books>(`GET /books?account=${account.id}`);

/** Its report is three hours late. */
async function reconcile() {
  await double.control('POST /clock', { byMs: 4 * HOUR_MS });
  const asked = { from: Date.now() - 40 * DAY_MS, to: app.service.realNowMs() };
  const { body, text } = await app.test.post(`/v0/processors/${processorId}/reconcile`, asked);
  expect(body.data, text).toBeDefined();
  return body.data.report;
}

async function expectAgreed(): Promise<void> {
  const { counts, sums } = await reconcile();
  expect(counts).toMatchObject({ missing_money: 0, unknown_money: 0, amount_differs: 0 });
  const { balance } = await readBooks();
  expect(sums).toEqual([{ currency: 'EUR', ours: balance.eur, theirs: balance.eur }]);
}

async function purchase() {
  const page = await openPage(app, `/checkout/${offerId}`);
  const answer = await page.submit({ card: undefined, payment: { option: 'redirect' } });
  expect(answer.status, answer.text).toBe(200);
  const back = new URL(await pressAtPayPal(answer.body.data.checkout.action.url, 'approve'));
  await app.test.get(`${back.pathname}${back.search}`, { keys: 'none' });
  return page;
}

const newest = () =>
  app.service.db
    .selectFrom('charges')
    .select(['id', 'processorId'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();

/** A call to the account itself, as its owner makes it elsewhere. */
async function callPayPal(method: string, path: string, body?: object) {
  const token = await fetch(`${double.apiUrl}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const answer = await fetch(`${double.apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await answer.json()) as {
    id: string;
    purchase_units: Array<{ payments: { captures: Array<{ id: string }> } }>;
  };
}

async function findCapture(): Promise<string> {
  const order = await callPayPal('GET', `/v2/checkout/orders/${(await newest()).processorId}`);
  return order.purchase_units[0]?.payments.captures[0]?.id ?? '';
}

describe('P44 the books of PayPal', () => {
  it('agree to the unit after a purchase and a refund, fees and all', async () => {
    const page = await purchase();
    const { orderNumber } = (await page.show()).body.data.checkout.receipt;
    const given = await app.test.post(`/v0/orders/${orderNumber}/refunds`, { amount: 500 });
    expect(given.body.data?.refund.status, given.text).toBe('succeeded');
    await expectAgreed();
    const linked = await app.service.db.selectFrom('processorMovements').select(['kind', 'status']).execute();
    expect(linked.sort((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { kind: 'charge', status: 'linked' },
      { kind: 'refund', status: 'linked' },
    ]);
    // Read once more, nothing is posted twice.
    await expectAgreed();
  });

  it('P39 bring in a refund that was made at PayPal, once', async () => {
    const page = await purchase();
    const { orderNumber } = (await page.show()).body.data.checkout.receipt;
    await callPayPal('POST', `/v2/payments/captures/${await findCapture()}/refund`, {
      amount: { currency_code: 'EUR', value: '3.00' },
    });
    const { counts } = await reconcile();
    expect(counts.imported).toBe(1);
    const { order } = (await app.test.get(`/v0/orders/${orderNumber}`)).body.data;
    expect(order.refundedValue).toBe(300);
    await expectAgreed();
  });

  it('P40 agree after a dispute was lost', async () => {
    await purchase();
    await double.control(`POST /objects/${(await newest()).processorId}/dispute`, { stage: 'lost' });
    await reconcile();
    await advance(app, app.test.scope, DAY_MS);
    await expectAgreed();
  });

  it('P40 agree while a dispute withholds money, which stays in the account until it is decided', async () => {
    const page = await purchase();
    const { orderNumber } = (await page.show()).body.data.checkout.receipt;
    await app.test.post(`/v0/orders/${orderNumber}/refunds`, { amount: 400 });
    const { processorId: object } = await newest();
    for (const stage of ['inquiry', 'open', 'won'] as const) {
      await double.control(`POST /objects/${object}/dispute`, { stage, amount: 900 });
      await reconcile();
      await advance(app, app.test.scope, HOUR_MS);
      const { disputes } = (await app.test.get('/v0/disputes/list')).body.data;
      expect(disputes[0]).toMatchObject({ stage, amount: 900 });
      await expectAgreed();
    }
    const others = await app.service.db
      .selectFrom('processorMovements')
      .select('id')
      .where('kind', '=', 'other')
      .execute();
    expect(others).toEqual([]);
  });

  it('P40 agree after a bank took a payment back, which is a dispute that was lost', async () => {
    const page = await purchase();
    const { orderNumber } = (await page.show()).body.data.checkout.receipt;
    const orderOf = async () => (await app.test.get(`/v0/orders/${orderNumber}`)).body.data.order;
    await double.control(`POST /objects/${(await newest()).processorId}/return`, {});
    // No event told of it: its movement did.
    await reconcile();
    await advance(app, app.test.scope, HOUR_MS);
    expect(await orderOf()).toMatchObject({ status: 'REFUNDED', refundedValue: 1999 });
    const listed = async () => (await app.test.get('/v0/disputes/list')).body.data.disputes;
    const disputes = await listed();
    expect(disputes[0]).toMatchObject({ stage: 'lost', amount: 1999, orderId: (await orderOf()).id });
    await expectAgreed();
    await advance(app, app.test.scope, DAY_MS);
    expect(await listed()).toHaveLength(disputes.length);
  });

  it('P40 agree after a part of a payment was lost', async () => {
    const page = await purchase();
    const { orderNumber } = (await page.show()).body.data.checkout.receipt;
    const { processorId: object, id } = await newest();
    await double.control(`POST /objects/${object}/dispute`, { stage: 'lost', amount: 500 });
    await reconcile();
    await advance(app, app.test.scope, HOUR_MS);
    const { order } = (await app.test.get(`/v0/orders/${orderNumber}`)).body.data;
    expect(order).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 500 });
    expect((await readBooks()).charges[id]).toMatchObject({ taken: 1999, refunded: 0, disputed: 500 });
    await expectAgreed();
  });

  it('P43 tell of what others took there, and touch nothing', async () => {
    const order = await callPayPal('POST', '/v2/checkout/orders', {
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'EUR', value: '7.00' } }],
    });
    await double.control(`POST /objects/${order.id}/update`, { approved: true });
    await callPayPal('POST', `/v2/checkout/orders/${order.id}/capture`, {});
    const { counts } = await reconcile();
    expect(counts.foreign).toBe(1);
    await expectAgreed();
  });

  it('P44 hold each of many captures once, though answers are lost and keys have expired', async () => {
    const before = Object.keys((await readBooks()).charges).length;
    const size = sizeOf(20, 500);
    const fault = await double.control<{ id: string }>('POST /faults', {
      ...{ match: { path: '/v2/checkout/orders/*/capture', share: 0.1 }, do: { drop: 'after' } },
    });
    // One is lost for certain, however small the share of few is.
    await double.control('POST /faults', {
      ...{ match: { path: '/v2/checkout/orders/*/capture' }, do: { drop: 'after' }, times: 1 },
    });
    const pages: Array<Awaited<ReturnType<typeof purchase>>> = [];
    while (pages.length < size) {
      const some = Math.min(4, size - pages.length);
      pages.push(...(await Promise.all(Array.from({ length: some }, purchase))));
    }
    await double.control(`DELETE /faults/${fault.id}`);
    // PayPal keeps the answer of an order for six hours.
    await double.control('POST /clock', { byMs: 7 * HOUR_MS });
    await advance(app, app.test.scope, DAY_MS);
    const charges = Object.values((await readBooks()).charges);
    expect(charges.length - before).toBe(size);
    expect(charges.filter(({ taken }) => taken !== 1999)).toEqual([]);
    const shown = await Promise.all(pages.map((page) => page.show()));
    expect(shown.map(({ body }) => body.data.checkout.status)).toEqual(pages.map(() => 'paid'));
    await expectAgreed();
    tellFigures('P44', { captures: size, doubles: 0 });
  });
});
