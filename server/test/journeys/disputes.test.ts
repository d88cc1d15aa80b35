import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, listTold, openPage } from '../support/buying.ts';
import { DISPUTED } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { disputeOnly } from '../support/faulty-processor.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await makeOffer(app.test);
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

const orderOf = async (id: string) => (await app.test.get(`/v0/orders/${id}`)).body.data;
const typesOf = async (id: string) => (await listTold(app, id)).map(({ type }) => type);
const pass = (ms: number) => advance(app, app.test.scope, ms);
const refund = (id: string, body = {}) => app.test.post(`/v0/orders/${id}/refunds`, body);

async function countMails(kind: string): Promise<number> {
  const rows = await app.service.db.selectFrom('mails').select('id').where('kind', '=', kind).execute();
  return rows.length;
}

async function sell(offerId: string) {
  const { body } = await buy(app.test, { offersIds: [offerId], card: DISPUTED });
  expect(body.data.order.status).toBe('PAID');
  return body.data.order;
}

/** What the buyer sees of their keys, on the receipt of a page that was paid with the card. */
async function sellOnPage(offerId: string) {
  const page = await openPage(app, `/checkout/${offerId}`);
  const card = { number: DISPUTED, expiry: '12/35', cvc: '123', name: 'Ada' };
  const paid = await page.submit({ card });
  expect(paid.body.data?.checkout.status, paid.text).toBe('paid');
  const { body } = await app.test.get('/v0/orders/list', { query: { take: '1' } });
  const keys = async () => (await page.show()).body.data.checkout.receipt.items[0].keys;
  return { order: body.data.orders[0], keys };
}

async function makeKeyed(text: string): Promise<string> {
  const keyed = await makeOffer(app.test);
  await app.test.post(`/v0/offers/${keyed}/keys/add`, { productKeys: [text] });
  return keyed;
}

describe('a disputed purchase', () => {
  it('is withheld after a day, cannot be refunded, and is lost a week later', async () => {
    const { order, keys } = await sellOnPage(await makeKeyed('DISPUTE-KEY-ONE-1'));
    expect(await keys()).toEqual(['DISPUTE-KEY-ONE-1']);
    await pass(DAY_MS);
    expect((await orderOf(order.id)).order.status).toBe('PAID');
    expect(await keys()).toEqual([]);
    await expectRefusal(refund(order.id), 409, 'payment_disputed');
    await expectRefusal(refund(order.id, { amount: 1 }), 409, 'payment_disputed');
    await expectRefusal(
      app.test.patch(`/v0/orders/${order.id}/update`, { status: 'REFUNDED' }),
      409,
      'payment_disputed',
    );
    expect(await countMails('dispute_opened')).toBe(1);
    expect(await typesOf(order.id)).toEqual(['payment_success']);
    await pass(7 * DAY_MS);
    const { order: lost, refunds, items } = await orderOf(order.id);
    expect(lost).toMatchObject({ status: 'REFUNDED', refundedValue: lost.value });
    expect(refunds).toMatchObject([
      { status: 'succeeded', reason: 'dispute', amount: lost.value, tax: lost.tax },
    ]);
    expect(refunds[0].creditNoteNumber).not.toBeNull();
    expect(items[0].fulfilment).toBe('revoked');
    expect(await typesOf(order.id)).toEqual(['payment_success', 'payment_refunded']);
    await expectRefusal(refund(order.id), 409, 'already_refunded');
  });

  it('is about what was not refunded before', async () => {
    const order = await sell(await makeOffer(app.test));
    await refund(order.id, { amount: 379 });
    await pass(8 * DAY_MS);
    const { refunds, order: lost } = await orderOf(order.id);
    expect(refunds.map(({ reason, amount }: { reason: string; amount: number }) => [reason, amount])).toEqual(
      [
        ['requested_by_customer', 379],
        ['dispute', 2000],
      ],
    );
    expect(lost.status).toBe('REFUNDED');
  });

  it('is no dispute when all was refunded before', async () => {
    const order = await sell(await makeOffer(app.test));
    await refund(order.id);
    await pass(8 * DAY_MS);
    expect((await orderOf(order.id)).refunds).toHaveLength(1);
  });

  it('is restored when the dispute is won', async () => {
    const { order, keys } = await sellOnPage(await makeKeyed('DISPUTE-KEY-WON-1'));
    await pass(DAY_MS);
    expect(await keys()).toEqual([]);
    await winDisputes(() => pass(7 * DAY_MS));
    expect(await keys()).toEqual(['DISPUTE-KEY-WON-1']);
    expect((await orderOf(order.id)).order.status).toBe('PAID');
    expect((await refund(order.id)).body.data.refund.status).toBe('succeeded');
  });
});

describe('a disputed subscription', () => {
  it('is paused without payments, and ends when the dispute is lost', async () => {
    const order = await sell(await makePlanOffer(app.test));
    await pass(DAY_MS);
    expect((await orderOf(order.id)).subscription.status).toBe('paused');
    await pass(7 * DAY_MS);
    const { subscription, order: lost } = await orderOf(order.id);
    expect(subscription.status).toBe('canceled');
    expect(lost.status).toBe('REFUNDED');
    expect(await typesOf(order.id)).toEqual([
      'subscription_created',
      'subscription_updated',
      'payment_success',
      'subscription_updated',
      'subscription_updated',
      'subscription_cancelled',
      'payment_refunded',
    ]);
  });

  it('waits for no transfer any more once it has ended with a lost dispute', async () => {
    const planId = await makePlanOffer(app.test);
    const order = await sell(planId);
    const account = { iban: 'DE89370400440532013000', holder: 'Muster GmbH', dueDays: 30 };
    await app.test.post('/v0/processors/connect', { kind: 'manual', name: 'Bank', ...account });
    const page = await openPage(app, `/checkout/${planId}`);
    const asked = await page.submit({ card: undefined, payment: { option: 'transfer' } });
    const { payments } = await orderOf(asked.body.data.checkout.order.id);
    const { now } = (await app.test.get('/v0/test-clock')).body.data.testClock;
    await app.test.post(`/v0/payments/${payments[0].id}/receive`, {
      ...{ amount: payments[0].value, receivedAt: Math.floor(now), reference: 'T-1' },
    });
    const methods = app.service.db.selectFrom('paymentMethods').select('id');
    const kept = await methods.where('processor', '=', 'manual').executeTakeFirstOrThrow();
    await app.service.db
      .updateTable('subscriptions')
      .set({ paymentMethodId: kept.id })
      .where('orderId', '=', order.id)
      .execute();
    const items = [{ name: 'Extra', unitPrice: 500, currency: 'EUR' }];
    const charged = await app.test.post(`/v0/subscriptions/${order.number}/charge`, { items });
    const { id, status } = charged.body.data.payment;
    expect(status).toBe('PENDING');
    await pass(8 * DAY_MS);
    const { subscription } = await orderOf(order.id);
    expect(subscription.status).toBe('canceled');
    const { payment } = (await app.test.get(`/v0/payments/${id}`)).body.data;
    expect(payment).toMatchObject({ status: 'CANCELLED', charges: [{ status: 'failed' }] });
  });

  it('goes on when the dispute is won', async () => {
    const order = await sell(await makePlanOffer(app.test));
    await pass(DAY_MS);
    await winDisputes(() => pass(7 * DAY_MS));
    expect((await orderOf(order.id)).subscription.status).toBe('active');
  });

  it('goes on only when the last of its disputes is won', async () => {
    const order = await sell(await makePlanOffer(app.test));
    await pass(DAY_MS / 2);
    await chargeExtra(order.number);
    await winDisputes(() => pass(7.75 * DAY_MS));
    expect((await orderOf(order.id)).subscription.status).toBe('paused');
    await winDisputes(() => pass(DAY_MS / 2));
    expect((await orderOf(order.id)).subscription.status).toBe('active');
  });

  it('keeps its order frozen when the dispute of a later payment ends before that of the first', async () => {
    const order = await sell(await makePlanOffer(app.test));
    await pass(DAY_MS / 2);
    const extraId = await chargeExtra(order.number);
    await winDisputes(() => pass(DAY_MS), extraId);
    expect(await frozenAtOf(order.id)).not.toBeNull();
    await winDisputes(() => pass(7 * DAY_MS));
    expect(await frozenAtOf(order.id)).toBeNull();
    expect((await orderOf(order.id)).subscription.status).toBe('active');
  });
});

/** Answers the charge, which will be disputed too. */
async function chargeExtra(number: string): Promise<string> {
  const items = [{ name: 'Extra', unitPrice: 500, currency: 'EUR' }];
  const { body } = await app.test.post(`/v0/subscriptions/${number}/charge`, { items });
  return body.data.payment.charges[0].id;
}

async function frozenAtOf(id: string): Promise<number | null> {
  const orders = app.service.db.selectFrom('orders').select('frozenAt').where('id', '=', id);
  return (await orders.executeTakeFirstOrThrow()).frozenAt;
}

/**
 * The sandbox loses every dispute: here its answer is the one that another processor can give. That of one charge is
 * won as soon as it is opened.
 */
async function winDisputes(work: () => Promise<unknown>, atOnceId?: string): Promise<void> {
  const { sandbox } = app.service.payments;
  const { lookUpDisputes } = sandbox;
  sandbox.lookUpDisputes = async (reference) => {
    const outcome = await lookUpDisputes(reference);
    if (outcome.kind !== 'told') return outcome;
    const isWon = (stage: string) =>
      stage === 'lost' || (stage === 'open' && reference.chargeId === atOnceId);
    const disputes = outcome.disputes.map((one) =>
      isWon(one.stage) ? { ...one, stage: 'won' as const } : one,
    );
    return { ...outcome, disputes };
  };
  try {
    await work();
  } finally {
    sandbox.lookUpDisputes = lookUpDisputes;
  }
}

describe('P40 a dispute of a part', () => {
  it.each([
    [500n, 500, 'PARTIALLY_REFUNDED', 'active'],
    [9_999_999n, 1900, 'REFUNDED', 'canceled'],
  ])(
    'of %d that is lost is a refund of %d: %s, and the subscription %s',
    async (asked, lost, payment, status) => {
      const stop = disputeOnly(app, { amountMinor: asked, currency: 'EUR' });
      const offerId = await makePlanOffer(app.test, {
        price: 1900,
        currency: 'EUR',
        taxBehavior: 'inclusive',
      });
      const email = `part${lost}@example.com`;
      const { body } = await buy(app.test, { offersIds: [offerId], card: DISPUTED, userEmail: email });
      await pass(DAY_MS);
      const listed = await app.test.get('/v0/disputes/list', { query: { orderId: body.data.order.id } });
      expect(listed.body.data.disputes).toMatchObject([{ status: 'open', amount: lost }]);
      await pass(8 * DAY_MS);
      stop();
      const { payments, refunds, subscriptions } = await orderOf(body.data.order.id);
      expect(payments[0].status).toBe(payment);
      expect(refunds).toMatchObject([{ amount: lost, reason: 'dispute', status: 'succeeded' }]);
      const shown = await app.test.get(`/v0/subscriptions/${body.data.subscription.id}`);
      expect({ status: shown.body.data.subscription.status, subscriptions }).toMatchObject({ status });
    },
  );
});
