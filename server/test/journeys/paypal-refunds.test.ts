/** Refunds that wait at PayPal: its merchant's balance is too low, and their bank is asked first, which takes days. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import {
  type PayPalAccount,
  type PayPalDouble,
  pressAtPayPal,
  startPayPalDouble,
} from '../support/paypal-double.ts';

const HOUR_MS = 3_600_000;
let double: PayPalDouble;
let app: TestApp;
let account: PayPalAccount;
let processorId: string;
let offerId: string;

beforeAll(async () => {
  double = await startPayPalDouble({ now: new Date(Date.now() - 10 * DAY_MS).toISOString() });
  app = await createTestApp({
    ...{ PAYPAL_SANDBOX_API_URL: double.apiUrl, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
    ...{ PROCESSOR_RATE: '0', PROCESSOR_TIMEOUT_MS: '30000' },
  });
  account = await double.openAccount();
  const { clientId, clientSecret } = account;
  const connected = await app.test.post('/v0/processors/connect', {
    ...{ kind: 'paypal', name: 'PayPal', credentials: { clientId, clientSecret } },
  });
  expect(connected.status, connected.text).toBe(200);
  processorId = connected.body.data.processor.id;
  await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
  offerId = await makeOffer(app.test, { price: 1999, currency: 'EUR', taxBehavior: 'inclusive' });
});
afterEach(() => expectInvariants(app));
afterAll(async () => {
  await app?.close();
  await double?.close();
});

/** Bought over PayPal, whose refunds wait from now on. */
async function purchase(): Promise<{ orderId: string; object: string }> {
  const page = await openPage(app, `/checkout/${offerId}`);
  const answer = await page.submit({ card: undefined, payment: { option: 'redirect' } });
  expect(answer.status, answer.text).toBe(200);
  const back = new URL(await pressAtPayPal(answer.body.data.checkout.action.url, 'approve'));
  await app.test.get(`${back.pathname}${back.search}`, { keys: 'none' });
  const { orderNumber } = (await page.show()).body.data.checkout.receipt;
  const { order, payments } = (await app.test.get(`/v0/orders/${orderNumber}`)).body.data;
  const { processorId: object } = await app.service.db
    .selectFrom('charges')
    .select('processorId')
    .where('id', '=', payments[0].charges[0].id)
    .executeTakeFirstOrThrow();
  await double.control(`POST /objects/${object}/update`, { refunds: 'PENDING' });
  return { orderId: String(order.id), object: String(object) };
}

type Bought = Awaited<ReturnType<typeof purchase>>;

const give = ({ orderId }: Bought, body: object = {}) => app.test.post(`/v0/orders/${orderId}/refunds`, body);
const refundsOf = async ({ orderId }: Bought) =>
  (await app.test.get(`/v0/refunds/list?orderId=${orderId}`)).body.data.refunds;
const orderOf = async ({ orderId }: Bought) => (await app.test.get(`/v0/orders/${orderId}`)).body.data.order;
/** What PayPal calls a refund of ours. */
async function nameOf({ object }: Bought, refundId: string): Promise<string> {
  const { purchase_units: units } = await callPayPal('GET', `/v2/checkout/orders/${object}`);
  const made = units[0]?.payments.refunds?.find(({ custom_id }) => custom_id === refundId);
  return String(made?.id);
}

/** As its merchant does elsewhere. */
async function callPayPal(method: string, path: string, body?: object) {
  const keys = Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64');
  const given = await fetch(`${double.apiUrl}/v1/oauth2/token`, {
    ...{ method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) },
    headers: { authorization: `Basic ${keys}` },
  });
  const { access_token: token } = (await given.json()) as { access_token: string };
  const answer = await fetch(`${double.apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await answer.json()) as {
    id: string;
    purchase_units: Array<{
      payments: { captures: Array<{ id: string }>; refunds?: Array<{ id: string; custom_id: string }> };
    }>;
  };
}

async function listFailures() {
  return app.service.db
    .selectFrom('mails')
    .select('params')
    .where('kind', '=', 'processor_refund_failed')
    .execute();
}

async function mailsOf({ orderId }: Bought): Promise<string[]> {
  const rows = await app.service.db
    .selectFrom('mails')
    .select('kind')
    .where('orderId', '=', orderId)
    .execute();
  return rows.map(({ kind }) => kind).sort();
}

/** What PayPal's report, three hours late, says beside ours. */
async function expectSameBooks(): Promise<void> {
  await double.control('POST /clock', { byMs: 4 * HOUR_MS });
  const asked = { from: Date.now() - 40 * DAY_MS, to: app.service.realNowMs() };
  const { body, text } = await app.test.post(`/v0/processors/${processorId}/reconcile`, asked);
  expect(body.data?.report.counts, text).toMatchObject({
    missing_money: 0,
    unknown_money: 0,
    amount_differs: 0,
  });
  const { balance } = await double.control<{ balance: { eur: number } }>(`GET /books?account=${account.id}`);
  expect(body.data.report.sums).toEqual([{ currency: 'EUR', ours: balance.eur, theirs: balance.eur }]);
}

describe('P44 a refund that waits at PayPal', () => {
  it('is pending until PayPal has given it, by the daily look', async () => {
    const bought = await purchase();
    const { refund, order } = (await give(bought, { amount: 500 })).body.data;
    expect(refund).toMatchObject({ status: 'pending', amount: 500, creditNoteNumber: null });
    expect(order).toMatchObject({ status: 'PAID', refundedValue: 0 });
    await expectSameBooks();
    await expectRefusal(give(bought, { amount: 1500 }), 400, 'refund_exceeds_paid');
    await advance(app, app.test.scope, 3 * DAY_MS);
    expect(await refundsOf(bought)).toMatchObject([{ status: 'pending' }]);
    expect(await mailsOf(bought)).not.toContain('refund');
    await double.control(`POST /objects/${await nameOf(bought, refund.id)}/settle`, {});
    await advance(app, app.test.scope, DAY_MS + HOUR_MS);
    const [given] = await refundsOf(bought);
    expect(given).toMatchObject({ id: refund.id, status: 'succeeded', amount: 500 });
    expect(given.creditNoteNumber).not.toBeNull();
    expect(await orderOf(bought)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 500 });
    expect(await mailsOf(bought)).toContain('refund');
    await expectSameBooks();
  });

  it('is none where the bank refuses it: all of the payment can be given back again', async () => {
    const bought = await purchase();
    const { refund } = (await give(bought)).body.data;
    expect(refund).toMatchObject({ status: 'pending', amount: 1999 });
    await double.control(`POST /objects/${await nameOf(bought, refund.id)}/fail`, {});
    await advance(app, app.test.scope, DAY_MS + HOUR_MS);
    expect(await refundsOf(bought)).toMatchObject([{ id: refund.id, status: 'failed' }]);
    expect(await orderOf(bought)).toMatchObject({ status: 'PAID', refundedValue: 0 });
    // Whoever asked for it was told that it waits.
    expect(await listFailures()).toMatchObject([{ params: { amountMinor: 1999, currency: 'EUR' } }]);
    await expectSameBooks();
    await double.control(`POST /objects/${bought.object}/update`, { refunds: 'COMPLETED' });
    expect((await give(bought)).body.data.refund).toMatchObject({ status: 'succeeded', amount: 1999 });
    await expectSameBooks();
  });

  it('has failed at once where PayPal takes it from nowhere', async () => {
    const bought = await purchase();
    await double.control('POST /faults', {
      match: { account: account.id, method: 'POST', path: '/v2/payments/captures/*/refund' },
      do: { status: 422, code: 'REFUND_FAILED_INSUFFICIENT_FUNDS' },
      times: 1,
    });
    const { refund } = (await give(bought, { amount: 700 })).body.data;
    expect(refund).toMatchObject({ status: 'failed', amount: 700 });
    expect(await listFailures()).toHaveLength(1);
    expect(await orderOf(bought)).toMatchObject({ status: 'PAID', refundedValue: 0 });
    await expectSameBooks();
  });

  it('and was made there is one here once PayPal has given it', async () => {
    const bought = await purchase();
    const { purchase_units: units } = await callPayPal('GET', `/v2/checkout/orders/${bought.object}`);
    const amount = { currency_code: 'EUR', value: '3.00' };
    const path = `/v2/payments/captures/${units[0]?.payments.captures[0]?.id}/refund`;
    const { id } = await callPayPal('POST', path, { amount });
    await expectSameBooks();
    expect(await refundsOf(bought)).toEqual([]);
    await double.control(`POST /objects/${id}/settle`, {});
    await expectSameBooks();
    expect(await refundsOf(bought)).toMatchObject([{ status: 'succeeded', amount: 300 }]);
    expect(await orderOf(bought)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 300 });
  });
});
