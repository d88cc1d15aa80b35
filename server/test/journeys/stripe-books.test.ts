/** Stripe's books held against ours: what each movement is of, what is told late, and what only a person can explain. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileDaily } from '../../src/flows/processors/reconcile-daily.ts';
import { buy } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { type StripeAccount, type StripeDouble, startStripeDouble } from '../support/stripe-double.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const DAY_MS = 86_400_000;
let double: StripeDouble;

// In the past, so that its clock may go on to a payout and still be behind ours.
beforeAll(async () => {
  double = await startStripeDouble({ now: new Date(Date.now() - 20 * DAY_MS).toISOString() });
});
afterAll(() => double?.close());

interface Shop {
  app: TestApp;
  account: StripeAccount;
  processorId: string;
}

async function openShop(more: object = {}): Promise<Shop> {
  const app = await createTestApp({
    ...{ STRIPE_API_URL: double.apiUrl, SECRETS_KEY: KEY, PROCESSOR_TIMEOUT_MS: '30000' },
  });
  const account = await double.openAccount(more);
  return { app, account, processorId: await connect(app, account) };
}

async function connect(app: TestApp, { secretKey, publishableKey }: StripeAccount): Promise<string> {
  const credentials = { secretKey, publishableKey };
  const { body, text } = await app.test.post('/v0/processors/connect', {
    ...{ kind: 'stripe', name: 'Cards', credentials },
  });
  expect(body.data, text).toBeDefined();
  return body.data.processor.id;
}

/** Up to now, from long before the stand-in's clock began. */
async function reconcile({ app, processorId }: Shop, fromMs = Date.now() - 40 * DAY_MS) {
  const to = app.service.realNowMs();
  const { body, text } = await app.test.post(`/v0/processors/${processorId}/reconcile`, { from: fromMs, to });
  expect(body.data, text).toBeDefined();
  return body.data.report;
}

async function purchase({ app, processorId }: Shop, offerId: string, paymentMethod = 'pm_card_visa') {
  const { body, text } = await buy(app.test, { offersIds: [offerId], processorId, paymentMethod });
  expect(body.data?.payment.status, text).toBe('PAID');
  return body.data;
}

/** A call to the account itself, as its owner makes it elsewhere. */
async function callStripe(account: StripeAccount, path: string, form?: Record<string, string>) {
  const answer = await fetch(`${double.apiUrl}${path}`, {
    method: form ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${account.secretKey}` },
    ...(form ? { body: new URLSearchParams(form) } : {}),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { id: string; data: Array<Record<string, number | string>> };
}

const takeElsewhere = (account: StripeAccount, metadata: Record<string, string> = {}) =>
  callStripe(account, '/v1/payment_intents', {
    ...{ amount: '700', currency: 'eur', confirm: 'true', payment_method: 'pm_card_visa' },
    ...{ 'allowed_payment_method_types[0]': 'card', return_url: 'https://shop.example/' },
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, value])),
  });

type Named = Record<string, string>;

async function clearing({ app }: Shop): Promise<Record<string, number>> {
  const { body } = await app.test.get('/v0/ledger/balances');
  const rows = body.data.balances as Array<{ account: string; currency: string; balance: number }>;
  return Object.fromEntries(
    rows.filter(({ account }) => account === 'processor_clearing').map((row) => [row.currency, row.balance]),
  );
}

const balanceOf = async ({ id }: StripeAccount) =>
  (await double.control<{ balance: Record<string, number> }>(`GET /books?account=${id}`)).balance;

describe('the books of an account', () => {
  it.each([
    ['EUR', 1999],
    ['JPY', 2500],
    ['KWD', 12_340],
  ])('P42 settled in USD that sells in %s agree to the unit, after payouts too', async (currency, price) => {
    const shop = await openShop({ country: 'US', currency: 'usd' });
    try {
      const { app, account } = shop;
      const offerId = await makeOffer(app.test, { currency, price, taxBehavior: 'inclusive' });
      const { payment, order } = await purchase(shop, offerId);
      const [taken] = (await callStripe(account, '/v1/balance_transactions?type=charge')).data;
      const value = Number(payment.value);
      expect(payment.fee).toBe(Math.round((Number(taken?.fee) * value) / Number(taken?.amount)));
      const given = await app.test.post(`/v0/orders/${order.id}/refunds`, {
        amount: Math.floor(price / 100) * 10,
      });
      expect(given.body.data?.refund.status, given.text).toBe('succeeded');
      await purchase(shop, offerId);
      await double.control('POST /clock', { byMs: 4 * DAY_MS });
      const report = await reconcile(shop);
      expect(report.counts).toMatchObject({ missing_money: 0, unknown_money: 0, amount_differs: 0 });
      const balance = (await balanceOf(account)).usd;
      expect(await clearing(shop)).toMatchObject({ USD: balance, [currency]: 0 });
      expect(report.sums.find((sum: { currency: string }) => sum.currency === 'USD')).toEqual({
        ...{ currency: 'USD', ours: balance, theirs: balance },
      });
      // All of it once, however often it is read.
      await reconcile(shop);
      expect(await clearing(shop)).toMatchObject({ USD: balance, [currency]: 0 });
      await expectInvariants(app);
    } finally {
      await shop.app.close();
    }
  });

  it('are compared by themselves once a day, and a fee that is told late comes into the books', async () => {
    const shop = await openShop();
    const { app, account, processorId } = shop;
    try {
      const { payment } = await purchase(shop, await makeOffer(app.test));
      // As where the charge was settled before its fee was known.
      const { db } = app.service;
      await db.updateTable('charges').set({ fee: 0n }).where('paymentId', '=', payment.id).execute();
      await db.updateTable('payments').set({ fee: 0n }).where('id', '=', payment.id).execute();
      await app.service.pool.query('alter table ledger_entries disable trigger user');
      await app.service.pool.query(
        "update ledger_entries set amount = amount + 61 where kind = 'charge' and account = 'processor_clearing'",
      );
      await app.service.pool.query("delete from ledger_entries where account = 'fees'");
      await app.service.pool.query('alter table ledger_entries enable trigger user');
      await reconcileDaily(app.service);
      expect((await app.test.get(`/v0/processors/${processorId}`)).body.data.processor.lastReport).toBeNull();
      await db
        .updateTable('processors')
        .set({ reconciledAt: 1, reconciledTo: Date.now() - 30 * DAY_MS })
        .execute();
      expect(await reconcileDaily(app.service)).toBe(1);
      expect(await reconcileDaily(app.service)).toBe(0);
      const { processor } = (await app.test.get(`/v0/processors/${processorId}`)).body.data;
      expect(processor.lastReport).toMatchObject({ processorId, acknowledgedAt: null });
      const { body } = await app.test.get(`/v0/payments/${payment.id}`);
      expect(body.data.payment.fee).toBe(61);
      expect(await clearing(shop)).toEqual({ EUR: (await balanceOf(account)).eur });
      await expectInvariants(app);
    } finally {
      await app.close();
    }
  });

  it('agree though money moved behind the end of what is compared', async () => {
    const shop = await openShop();
    const { app, account, processorId } = shop;
    try {
      await app.service.db
        .updateTable('processors')
        .set({ reconciledTo: Date.now() - 40 * DAY_MS })
        .execute();
      await purchase(shop, await makeOffer(app.test));
      const [taken] = (await callStripe(account, '/v1/balance_transactions?type=charge')).data;
      await double.control('POST /clock', { byMs: 4 * DAY_MS });
      const until = { from: Date.now() - 40 * DAY_MS, to: (Number(taken?.created) + 1) * 1000 };
      const path = `/v0/processors/${processorId}/reconcile`;
      const { report } = (await app.test.post(path, until)).body.data;
      const balance = (await balanceOf(account)).eur;
      expect((await callStripe(account, '/v1/payouts')).data).toHaveLength(1);
      expect(report.sums).toEqual([{ currency: 'EUR', ours: balance, theirs: balance }]);
      expect(await clearing(shop)).toEqual({ EUR: balance });
      // What nobody knows is told by the run that reads it, and is in the books from then on.
      await takeElsewhere(account);
      const { report: before } = (await app.test.post(path, until)).body.data;
      expect(before.counts).toMatchObject({ foreign: 0 });
      expect(await clearing(shop)).toEqual({ EUR: balance });
      expect((await reconcile(shop)).counts).toMatchObject({ foreign: 1 });
      expect(await clearing(shop)).toEqual({ EUR: (await balanceOf(account)).eur });
      await expectInvariants(app);
    } finally {
      await app.close();
    }
  });

  it('are not compared where nobody is let in, or there is no answer', async () => {
    const shop = await openShop();
    const { app, account, processorId } = shop;
    try {
      const path = `/v0/processors/${processorId}/reconcile`;
      const [from, to] = [1, app.service.realNowMs()];
      const { processors } = (await app.test.get('/v0/processors/list')).body.data;
      const sandbox = processors.find(({ kind }: { kind: string }) => kind === 'sandbox');
      await expectRefusal(
        app.test.post(`/v0/processors/${sandbox.id}/reconcile`, { from, to }),
        409,
        'processor_state',
      );
      await expectRefusal(app.test.post(path, { from: to, to }), 400, 'invalid_input');
      await expectRefusal(app.test.post(path, { from, to: to + DAY_MS }), 400, 'invalid_input');
      const fault = {
        match: { account: account.id, path: '/v1/refunds', method: 'GET' },
        do: { drop: 'before' },
      };
      await double.control('POST /faults', fault);
      await expectRefusal(app.test.post(path, { from, to }), 503, 'processor_unreachable');
      const list = await app.test.get(`/v0/processors/${processorId}/reports/list`);
      expect(list.body.data.reports, list.text).toEqual([]);
    } finally {
      await app.close();
    }
  });
});

describe('P43 what the two books do not share', () => {
  it('foreign charges are counted, and touch nothing', async () => {
    const shop = await openShop();
    const { app, account } = shop;
    try {
      const other = { cf_install: '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f', cf_store: 'another:test' };
      await takeElsewhere(account);
      await takeElsewhere(account, other);
      const report = await reconcile(shop);
      expect(report.counts).toMatchObject({ foreign: 2, unknown_money: 0, adopted: 0, repaired: 0 });
      expect(report.rows.map(({ kind }: { kind: string }) => kind)).toEqual(['foreign', 'foreign']);
      const { count } = await app.service.db
        .selectFrom('payments')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      expect(Number(count)).toBe(0);
      expect(await clearing(shop)).toEqual({ EUR: (await balanceOf(account)).eur });
      await expectInvariants(app);
    } finally {
      await app.close();
    }
  });

  it('one account in two installations, and after a reset: each holds the other’s for foreign', async () => {
    const shop = await openShop();
    const { app, account } = shop;
    const second = await createTestApp({
      ...{ STRIPE_API_URL: double.apiUrl, SECRETS_KEY: KEY, PROCESSOR_TIMEOUT_MS: '30000' },
    });
    try {
      await purchase(shop, await makeOffer(app.test));
      const there = { app: second, account, processorId: await connect(second, account) };
      await purchase(there, await makeOffer(second.test));
      expect((await reconcile(shop)).counts).toMatchObject({ foreign: 1, unknown_money: 0 });
      expect((await reconcile(there)).counts).toMatchObject({ foreign: 1, unknown_money: 0 });
      await app.test.post('/v0/test-clock/reset', { confirm: true });
      expect((await reconcile(shop)).counts).toMatchObject({
        foreign: 2,
        unknown_money: 0,
        missing_money: 0,
      });
      await expectInvariants(app);
      await expectInvariants(second);
    } finally {
      await second.close();
      await app.close();
    }
  });

  it('a payment deleted there is missing, unchanged here, and clean once it is acknowledged', async () => {
    const shop = await openShop();
    const { app, account, processorId } = shop;
    try {
      const { payment } = await purchase(shop, await makeOffer(app.test, { taxBehavior: 'inclusive' }));
      const [{ id: chargeId }] = payment.charges;
      const { processorId: object } = await app.service.db
        .selectFrom('charges')
        .select('processorId')
        .where('id', '=', chargeId)
        .executeTakeFirstOrThrow();
      await double.control('POST /faults', {
        match: { account: account.id, method: 'GET', path: `/v1/payment_intents/${object}` },
        do: { status: 404, code: 'resource_missing' },
      });
      const report = await reconcile(shop, app.service.realNowMs() - 1000);
      expect(report).toMatchObject({
        counts: { missing_money: 1 },
        rows: [
          { kind: 'missing_money', chargeId, processorId: object, ours: 1999, theirs: null, currency: 'EUR' },
        ],
      });
      expect((await app.test.get(`/v0/payments/${payment.id}`)).body.data.payment.status).toBe('PAID');
      await expect(expectInvariants(app)).rejects.toThrow('number: 37');
      const mails = await app.service.db
        .selectFrom('mails')
        .select('kind')
        .where('kind', '=', 'processor_report')
        .execute();
      expect(mails).toHaveLength(1);
      const path = `/v0/processors/${processorId}/reports/${report.id}/acknowledge`;
      const done = await app.test.post(path, { note: 'Deleted by support.' });
      expect(done.body.data.report, done.text).toMatchObject({ note: 'Deleted by support.' });
      expect(done.body.data.report.acknowledgedAt).not.toBeNull();
      await expectInvariants(app);
    } finally {
      await app.close();
    }
  });

  it('what was acknowledged stays so in the next report, without a mail; what joins it does not', async () => {
    const shop = await openShop();
    const { app, account, processorId } = shop;
    const countMails = async () => {
      const mails = await app.service.db
        .selectFrom('mails')
        .select('id')
        .where('kind', '=', 'processor_report')
        .execute();
      return mails.length;
    };
    try {
      await purchase(shop, await makeOffer(app.test));
      const [intent] = (await callStripe(account, '/v1/payment_intents?limit=1')).data;
      const { cf_install: install = '', cf_store: store = '' } = Object(intent?.metadata) as Named;
      const ofOurs = { cf_install: install, cf_store: store, cf_purpose: 'purchase' };
      await takeElsewhere(account, ofOurs);
      const first = await reconcile(shop);
      expect(first).toMatchObject({ counts: { unknown_money: 1 }, acknowledgedAt: null });
      const again = await reconcile(shop);
      expect(again).toMatchObject({ counts: { unknown_money: 1 }, acknowledgedAt: null, note: null });
      expect(await countMails()).toBe(2);
      const path = `/v0/processors/${processorId}/reports/${again.id}/acknowledge`;
      expect((await app.test.post(path, { note: 'Typed in by hand.' })).status).toBe(200);
      const next = await reconcile(shop);
      expect(next).toMatchObject({ counts: { unknown_money: 1 }, note: 'Typed in by hand.' });
      expect(next.acknowledgedAt).not.toBeNull();
      expect(await countMails()).toBe(2);
      await expectInvariants(app);
      await takeElsewhere(account, ofOurs);
      const joined = await reconcile(shop);
      expect(joined).toMatchObject({ counts: { unknown_money: 2 }, acknowledgedAt: null, note: null });
      expect(await countMails()).toBe(3);
    } finally {
      await app.close();
    }
  });
});
