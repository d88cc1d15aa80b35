/** Money that comes outside: the buyer is told where to send it, and the merchant says that it has come. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { issueKeyPair } from '../../src/flows/workspaces/issue-key-pair.ts';
import { buy, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

const IBAN = 'DE89370400440532013000';
const EUROS = { currency: 'EUR', taxBehavior: 'inclusive' };
const ACCOUNT = { kind: 'manual', name: 'Bank', iban: IBAN, bic: 'COBADEFFXXX', holder: 'Muster GmbH' };

let app: TestApp;
let processorId: string;
beforeAll(async () => {
  app = await createTestApp();
  const { body } = await app.test.post('/v0/processors/connect', { ...ACCOUNT, dueDays: 10 });
  processorId = body.data.processor.id;
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

const pass = (ms: number) => advance(app, app.test.scope, ms);
const paymentOf = async (id: string) => (await app.test.get(`/v0/payments/${id}`)).body.data.payment;
const nowOf = async () => (await app.test.get('/v0/test-clock')).body.data.testClock.now;
const mailsOf = async (kind: string) =>
  ((await app.test.get('/v0/mails/list')).body.data.mails as Array<{ kind: string; subject: string }>).filter(
    (mail) => mail.kind === kind,
  );

/** Submits the page of an offer with a transfer. */
async function order(offerId: string) {
  const page = await openPage(app, `/checkout/${offerId}`);
  const answer = await page.submit({ card: undefined, payment: { option: 'transfer' } });
  expect(answer.status).toBe(200);
  const { checkout } = answer.body.data;
  const { body } = await app.test.get(`/v0/orders/${checkout.order.id}`);
  const [payment] = body.data.payments;
  return { page, checkout, orderId: checkout.order.id as string, payment };
}

async function receive(id: string, amount: number, store: TestStore = app.test) {
  const receivedAt = Math.floor(await nowOf());
  return store.post(`/v0/payments/${id}/receive`, { amount, receivedAt, reference: 'T-4711' });
}

describe('P45 a transfer', () => {
  it('is awaited: page and mail say how much, where to and by which reference', async () => {
    const { checkout, payment } = await order(await makeOffer(app.test, { price: 1999, ...EUROS }));
    expect(checkout).toMatchObject({
      status: 'processing',
      transfer: { amount: 1999, currency: 'EUR', iban: IBAN, bic: 'COBADEFFXXX', holder: 'Muster GmbH' },
    });
    const { reference, code } = checkout.transfer;
    expect(reference).toBe(checkout.order.number);
    expect(code.split('\n')).toEqual(
      expect.arrayContaining(['BCD', 'SCT', IBAN, 'Muster GmbH', 'EUR19.99', reference]),
    );
    expect(payment).toMatchObject({ status: 'PENDING' });
    expect(payment.charges).toMatchObject([
      {
        status: 'pending',
        paymentMethod: { type: 'bank_transfer' },
        byHand: true,
        expectedBy: checkout.transfer.dueAt,
      },
    ]);
    await pass(1000);
    expect((await mailsOf('transfer_awaited')).at(0)?.subject).toContain(reference);
  });

  it('that has come is paid without a fee, once', async () => {
    const { payment } = await order(await makeOffer(app.test, { price: 500, ...EUROS }));
    await pass(3 * DAY_MS);
    const answer = await receive(payment.id, 500);
    expect(answer.body.data.payment).toMatchObject({ status: 'PAID', fee: 0 });
    await expectRefusal(receive(payment.id, 500), 409, 'payment_state');
  });

  it('of another amount pays nothing', async () => {
    const { payment } = await order(await makeOffer(app.test, { price: 500, ...EUROS }));
    for (const amount of [499, 501]) await expectRefusal(receive(payment.id, amount), 400, 'amount_mismatch');
    const { body } = await receive(payment.id, 499);
    const message = 'must be what the payment asks for in EUR: 500';
    expect(body.error.details).toEqual([{ path: 'amount', message }]);
    expect(await paymentOf(payment.id)).toMatchObject({ status: 'PENDING' });
  });

  it.each([
    ['another sum', { value: 1700 }, 1700],
    ['another currency', { currency: 'USD' }, 1999],
  ])('of %s is received once the order asks for that, and the former no more', async (_, correction, sum) => {
    const { payment, orderId } = await order(await makeOffer(app.test, { price: 1999, ...EUROS }));
    const put = { currency: 'EUR', ...correction };
    expect((await app.test.patch(`/v0/orders/${orderId}/update`, correction)).status).toBe(200);
    await expectRefusal(receive(payment.id, sum + 1), 400, 'amount_mismatch');
    const { body, text } = await receive(payment.id, sum);
    expect(body.data?.payment, text).toMatchObject({
      status: 'PAID',
      value: sum,
      currency: put.currency,
      fee: 0,
    });
    expect(body.data.payment.charges).toMatchObject([
      { status: 'failed', amount: 1999, currency: 'EUR' },
      { status: 'succeeded', amount: sum, currency: put.currency, byHand: true },
    ]);
  });

  it('that does not come expires a week after it was due, and not before', async () => {
    const { payment } = await order(await makeOffer(app.test, { price: 500, ...EUROS }));
    await pass(16 * DAY_MS);
    expect(await paymentOf(payment.id)).toMatchObject({ status: 'PENDING' });
    await pass(2 * DAY_MS);
    expect(await paymentOf(payment.id)).toMatchObject({ status: 'EXPIRED' });
    await expectRefusal(receive(payment.id, 500), 409, 'payment_state');
  });

  it('is given back outside: the refund is pending until it is settled', async () => {
    const { orderId, payment } = await order(await makeOffer(app.test, { price: 500, ...EUROS }));
    await receive(payment.id, 500);
    const { refund } = (await app.test.post(`/v0/orders/${orderId}/refunds`, {})).body.data;
    expect(refund).toMatchObject({ status: 'pending' });
    const settled = await app.test.post(`/v0/refunds/${refund.id}/settle`, { reference: 'T-4712' });
    expect(settled.body.data.refund).toMatchObject({ status: 'succeeded' });
    expect(await paymentOf(payment.id)).toMatchObject({ status: 'REFUNDED' });
  });

  it('is not offered for what others may wait for', async () => {
    const page = await openPage(app, `/checkout/${await makeOffer(app.test, { limit: 1, ...EUROS })}`);
    const { body } = await page.show();
    expect(body.data.checkout.quote.methods).toEqual(['card']);
    const submitted = page.submit({ card: undefined, payment: { option: 'transfer' } });
    await expectRefusal(submitted, 400, 'method_not_offered');
  });

  it('is not offered where nothing is paid yet', async () => {
    const trial = { trialInterval: 'day', trialIntervalCount: 7 };
    const page = await openPage(app, `/checkout/${await makePlanOffer(app.test, { ...trial, ...EUROS })}`);
    const { quote } = (await page.quote()).body.data;
    expect(quote).toMatchObject({ dueNow: 0, methods: ['card'] });
    const submitted = page.submit({ card: undefined, payment: { option: 'transfer' } });
    await expectRefusal(submitted, 400, 'method_not_offered');
  });

  it('is offered to buyers of the countries that its connection takes', async () => {
    const change = (body: object) => app.test.patch(`/v0/processors/${processorId}/update`, body);
    await change({ countries: ['AT'] });
    const page = await openPage(app, `/checkout/${await makeOffer(app.test, { price: 500, ...EUROS })}`);
    const methodsIn = async (countryCode: string) =>
      (await page.quote({ countryCode })).body.data.quote.methods;
    expect(await methodsIn('AT')).toEqual(['card', 'transfer']);
    expect(await methodsIn('DE')).toEqual(['card']);
    await change({ countries: [] });
    expect(await methodsIn('DE')).toEqual(['card', 'transfer']);
  });
});

describe('P45 a subscription paid by transfer', () => {
  it('renews by a payment that waits, with a mail; what is not received when due is owed, and nobody is charged', async () => {
    const planId = await makePlanOffer(app.test, { price: 1000, ...EUROS });
    const { orderId, payment } = await order(planId);
    expect((await receive(payment.id, 1000)).body.data.payment.status).toBe('PAID');
    const mails = (await mailsOf('transfer_awaited')).length;
    await pass(32 * DAY_MS);
    const periods = async () => {
      const { payments } = (await app.test.get(`/v0/orders/${orderId}`)).body.data;
      return payments.filter(({ type }: { type: string }) => type === 'subscription_interval');
    };
    const [renewal] = await periods();
    expect(renewal).toMatchObject({ status: 'PENDING' });
    expect((await mailsOf('transfer_awaited')).length).toBe(mails + 1);
    await pass(10 * DAY_MS);
    const [owed] = await periods();
    expect(owed).toMatchObject({ status: 'FAILED' });
    expect(owed.charges.at(-1)).toMatchObject({ failure: { decline: 'soft', reason: 'not_received' } });
    expect((await receive(renewal.id, 1000)).body.data.payment).toMatchObject({ status: 'PAID' });
  });
});

describe('P45 periods that are owed', () => {
  it.each([
    ['while the run is on', 23, 'past_due'],
    ['after it has ended', 60, 'unpaid'],
  ])('are received one after the other %s, each once', async (_, days, status) => {
    const plan = { price: 1000, ...EUROS, recurringInterval: 'week' };
    const { orderId, payment } = await order(await makePlanOffer(app.test, plan));
    await receive(payment.id, 1000);
    await pass(days * DAY_MS);
    const read = async () => (await app.test.get(`/v0/orders/${orderId}`)).body.data;
    const { payments, order: first } = await read();
    const owed = payments
      .filter(({ type }: { type: string }) => type === 'subscription_interval')
      .sort((a: { createdAt: number }, b: { createdAt: number }) => a.createdAt - b.createdAt);
    expect(owed.map((one: { status: string }) => one.status).sort()).toEqual([
      'FAILED',
      ...Array(owed.length - 1).fill('UNPAID'),
    ]);
    expect(owed.length).toBeGreaterThan(1);
    const statusOf = async () =>
      (await app.test.get(`/v0/subscriptions/${first.number}`)).body.data.subscription.status;
    expect(await statusOf()).toBe(status);
    for (const { id } of owed) {
      await expectRefusal(receive(id, 999), 400, 'amount_mismatch');
      const { body, text } = await receive(id, 1000);
      expect(body.data?.payment, text).toMatchObject({ status: 'PAID', fee: 0 });
      await expectRefusal(receive(id, 1000), 409, 'payment_state');
    }
    expect(await statusOf()).toBe('active');
  });
});

describe('connections', () => {
  it('are paid by transfer alone, by the API as on the page', async () => {
    const asked = { offersIds: [await makeOffer(app.test, EUROS)], processorId };
    const named = await buy(app.test, { ...asked, paymentMethod: 'pm_card_visa' });
    expect(named.body.error.details).toEqual([
      { path: 'paymentMethod', message: 'is nothing that manual takes' },
    ]);
    const { body } = await buy(app.test, asked);
    expect(body.data.payment).toMatchObject({ status: 'PENDING', charges: [{ byHand: true }] });
  });

  it('are listed in order, changed, and not retired while subscriptions renew over them', async () => {
    const { processors } = (await app.test.get('/v0/processors/list')).body.data;
    expect(processors.map(({ kind }: { kind: string }) => kind)).toEqual(['sandbox', 'manual']);
    const changed = await app.test.patch(`/v0/processors/${processorId}/update`, { name: 'House bank' });
    expect(changed.body.data.processor).toMatchObject({ name: 'House bank', iban: IBAN, dueDays: 10 });
    const archive = (body: object) => app.test.patch(`/v0/processors/${processorId}/archive`, body);
    await expectRefusal(archive({}), 409, 'processor_in_use');
    const [sandbox] = processors;
    await expectRefusal(
      app.test.patch(`/v0/processors/${sandbox.id}/update`, { name: 'Toy' }),
      409,
      'processor_state',
    );
    await expectRefusal(app.other.get(`/v0/processors/${processorId}`), 404, 'not_found');
  });

  it('P49 that is retired takes no new payment, and what it has asked for is still received', async () => {
    const made = await app.other.post('/v0/processors/connect', ACCOUNT);
    const { id } = made.body.data.processor;
    const retired = await app.other.patch(`/v0/processors/${id}/archive`, {});
    expect(retired.body.data.processor).toMatchObject({ status: 'retired' });
    const again = await app.other.patch(`/v0/processors/${id}/archive`, {});
    const error = { code: 'processor_state', message: 'The processor is retired.' };
    expect(again).toMatchObject({ status: 409, body: { error } });
    const { payment } = await order(await makeOffer(app.test, { price: 700, ...EUROS }));
    const mine = await app.test.patch(`/v0/processors/${processorId}/archive`, { confirm: true });
    expect(mine.body.data.processor).toMatchObject({ status: 'retired' });
    expect((await receive(payment.id, 700)).body.data.payment).toMatchObject({ status: 'PAID' });
    const page = await openPage(app, `/checkout/${await makeOffer(app.test, { ...EUROS })}`);
    expect((await page.show()).body.data.checkout.quote.methods).toEqual(['card']);
  });

  it('P49 that is connected again is the one that it was, and what has waited for it goes on', async () => {
    const connect = async () => (await app.test.post('/v0/processors/connect', ACCOUNT)).body.data.processor;
    expect(await connect()).toMatchObject({ id: processorId, status: 'active' });
    const { orderId, payment } = await order(await makePlanOffer(app.test, { price: 1000, ...EUROS }));
    await receive(payment.id, 1000);
    await app.test.patch(`/v0/processors/${processorId}/archive`, { confirm: true });
    const chargesOf = async () =>
      (await app.test.get(`/v0/orders/${orderId}`)).body.data.payments
        .filter(({ type }: { type: string }) => type === 'subscription_interval')
        .flatMap(({ charges }: { charges: object[] }) => charges);
    await pass(40 * DAY_MS);
    expect(await chargesOf()).toEqual([]);
    const another = { ...ACCOUNT, iban: 'FR1420041010050500013M02606' };
    const { body } = await app.test.post('/v0/processors/connect', another);
    expect(body.data.processor.id).not.toBe(processorId);
    expect(await connect()).toMatchObject({ id: processorId, status: 'active' });
    await pass(1000);
    expect(await chargesOf()).toMatchObject([{ status: 'pending', byHand: true }]);
    for (const id of [processorId, body.data.processor.id])
      await app.test.patch(`/v0/processors/${id}/archive`, { confirm: true });
  });

  it.each([
    ['iban', { iban: 'DE00370400440532013000', holder: 'Muster GmbH' }],
    ['bic', { iban: IBAN, bic: 'COBA', holder: 'Muster GmbH' }],
    ['holder', { iban: IBAN }],
    ['instructions', {}],
    ['currencies', { instructions: { en: 'Ask.' }, currencies: ['XXX'] }],
    ['dueDays', { instructions: { en: 'Ask.' }, dueDays: 0 }],
    ['credentials', { instructions: { en: 'Ask.' }, credentials: { secretKey: 'sk_test_1' } }],
  ])('400 names %s', async (field, body) => {
    const answer = await app.test.post('/v0/processors/connect', { kind: 'manual', name: 'Bank', ...body });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body.error)).toContain(field);
  });

  it('P01 are made in live by a pair that names them alone, and the owners are told', async () => {
    await expectRefusal(app.live.post('/v0/processors/connect', ACCOUNT), 403, 'insufficient_scope');
  });

  it('P05 a live store without one takes no money, and no card is read in any', async () => {
    const offerId = await makeOffer(app.live, { ...EUROS });
    const page = await openPage(app, `/checkout/${offerId}`);
    await expectRefusal(page.submit(), 409, 'processor_not_configured');
    const { service, live } = app;
    const terms = {
      name: 'Payments',
      nowMs: Date.now(),
      scopes: ['processors:write'],
      readRequiresSecret: false,
    };
    const keys = await inTransaction(service.db, (tx) =>
      issueKeyPair(tx, live.scope, { ids: service.ids, terms }),
    );
    const made = await live.post('/v0/processors/connect', ACCOUNT, { keys });
    expect(made.status, made.text).toBe(200);
    const again = await openPage(app, `/checkout/${offerId}`);
    await expectRefusal(again.submit(), 400, 'card_data_refused');
  });
});
