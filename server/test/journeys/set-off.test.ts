/** Credits and charges of different taxes: what is charged, what goes back, and when; and no money twice. */
import { describe, expect, it } from 'vitest';
import { inScope } from '../../src/db/scope.ts';
import { authenticate, authenticateCharge, listTold } from '../support/buying.ts';
import { AUTHENTICATES, DECLINED, DISPUTED, VISA } from '../support/cards.ts';
import { createPlanOperations } from '../support/changing-plans.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let plans: ReturnType<typeof createPlanOperations>;
let bigId: string;
let smallId: string;
let yearlyId: string;

useShop(async (made) => {
  app = made;
  plans = createPlanOperations(app);
  bigId = await makePlanOffer(app.test, { price: 10_000, name: 'Big' });
  smallId = await makePlanOffer(app.test, { price: 1000, name: 'Small' });
  yearlyId = await makePlanOffer(app.test, { price: 1000, name: 'Year', recurringInterval: 'year' });
});

const FRENCH = { countryCode: 'FR', firstName: 'Ada', lastName: 'Lovelace' };
/** Pays 12,000, of which 2,000 are French VAT. */
const startTaxed = () =>
  subscribe(app, bigId, { userEmail: `${Math.random()}@example.com`, billingDetails: FRENCH });

/** The buyer becomes a company, which is charged no tax. */
async function handInTaxNumber({ userId }: Subscribed): Promise<void> {
  const billingDetails = {
    type: 'company',
    companyName: 'ACME',
    countryCode: 'FR',
    taxNumber: 'FR40303265045',
  };
  const { status, text } = await app.test.patch(`/v0/users/${userId}/update`, { billingDetails });
  expect(status, text).toBe(200);
}

async function startAtReverseCharge(): Promise<Subscribed & { prorationDate: number }> {
  const subscribed = await startTaxed();
  await handInTaxNumber(subscribed);
  const { currentIntervalStart: prorationDate } = await show(app, subscribed);
  return { ...subscribed, prorationDate };
}

const shown = async ({ orderId }: Subscribed) => (await app.test.get(`/v0/orders/${orderId}`)).body.data;
const firstOf = async (subscribed: Subscribed) =>
  (await shown(subscribed)).payments.find(({ type }: { type: string }) => type === 'subscription_initial');
const refund = ({ orderId }: Subscribed, body: object) =>
  app.test.post(`/v0/orders/${orderId}/refunds`, body);

async function listWaiting({ id }: Subscribed): Promise<number[]> {
  const rows = await app.service.db
    .selectFrom('paymentLines')
    .select('total')
    .where(inScope(app.test.scope))
    .where('subscriptionId', '=', id)
    .where('paymentId', 'is', null)
    .where('lapsedAt', 'is', null)
    .where('total', '<>', 0n)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(({ total }) => Number(total));
}

describe('12,000 of French VAT, and then a plan of 1,000 at reverse charge', () => {
  it('T52 always_invoice: charges 1,000 and gives 12,000 back once that is paid, as the preview says', async () => {
    const { prorationDate, ...subscribed } = await startAtReverseCharge();
    const first = await firstOf(subscribed);
    const body = { offerId: smallId, prorationBehavior: 'always_invoice', prorationDate };
    const preview = await plans.preview(subscribed, body);
    expect(preview).toMatchObject({
      amountDue: 1000,
      amountReturned: 12_000,
      returns: [{ paymentId: first.id, amount: 12_000, tax: 2000 }],
      nextPayment: { value: 1000, tax: 0 },
    });
    const { body: answer } = await plans.update(subscribed, body);
    expect(answer.data).toMatchObject({ success: true, payment: { status: 'PAID', value: 1000, tax: 0 } });
    const { order, refunds } = await shown(subscribed);
    expect(refunds).toMatchObject([
      { status: 'succeeded', amount: 12_000, tax: 2000, paymentId: first.id, reason: 'other' },
    ]);
    expect(refunds[0].creditNoteNumber).toMatch(/^TEST-/);
    expect(await firstOf(subscribed)).toMatchObject({ status: 'REFUNDED', refundedValue: 12_000 });
    expect(order).toMatchObject({ status: 'REFUNDED', refundedValue: 12_000 });
    expect(await show(app, subscribed)).toMatchObject({ status: 'active', value: 1000 });
    expect(await listWaiting(subscribed)).toEqual([]);
    const told = (await listTold(app, subscribed.orderId)).map(({ type }) => type);
    expect(told.filter((type) => type === 'payment_refunded')).toHaveLength(1);
    expect(await plans.upcoming(subscribed)).toEqual(preview.nextPayment);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 1000 });
    expect(await mailsOf(subscribed, 'refund')).toBe(1);
  });

  it('T52 always_invoice: declined, neither is charged nor given back', async () => {
    const { prorationDate, ...subscribed } = await startAtReverseCharge();
    await plans.withCard(subscribed, DECLINED);
    const body = { offerId: smallId, prorationBehavior: 'always_invoice', prorationDate };
    const { body: answer } = await plans.update(subscribed, body);
    expect(answer.data).toMatchObject({ success: false, payment: { status: 'FAILED', value: 1000 } });
    await expectUnchanged(subscribed);
  });

  it('T52 always_invoice: cancelled or expired while it waits for the buyer, neither', async () => {
    for (const end of ['cancel', 'expire', 'reject'] as const) {
      const { prorationDate, ...subscribed } = await startAtReverseCharge();
      await plans.withCard(subscribed, AUTHENTICATES);
      const body = { offerId: smallId, prorationBehavior: 'always_invoice', prorationDate };
      const { body: answer } = await plans.update(subscribed, body);
      const { payment } = answer.data;
      expect(payment).toMatchObject({ status: 'PENDING', value: 1000 });
      await expectUnchanged(subscribed);
      if (end === 'cancel') await app.test.post(`/v0/payments/${payment.id}/cancel`, {});
      else if (end === 'expire') await advance(app, app.test.scope, 25 * 3_600_000);
      else await authenticate(app, new URL(payment.payUrl).pathname, 'reject');
      await expectUnchanged(subscribed);
    }
  });

  it('T52 always_invoice: gives 12,000 back when the buyer has authenticated, and no sooner', async () => {
    const { prorationDate, ...subscribed } = await startAtReverseCharge();
    await plans.withCard(subscribed, AUTHENTICATES);
    const body = { offerId: smallId, prorationBehavior: 'always_invoice', prorationDate };
    const { payment } = (await plans.update(subscribed, body)).body.data;
    await expectUnchanged(subscribed);
    const { charges } = (await app.test.get(`/v0/payments/${payment.id}`)).body.data.payment;
    await authenticateCharge(app, charges[0].id, 'approve');
    await advance(app, app.test.scope, 1000);
    expect((await shown(subscribed)).refunds).toMatchObject([{ status: 'succeeded', amount: 12_000 }]);
    expect(await firstOf(subscribed)).toMatchObject({ status: 'REFUNDED' });
  });

  it('T52 create_prorations: both with the next payment', async () => {
    const { prorationDate, ...subscribed } = await startAtReverseCharge();
    const body = { offerId: smallId, prorationDate };
    const first = await firstOf(subscribed);
    const preview = await plans.preview(subscribed, body);
    expect(preview).toMatchObject({
      amountDue: 0,
      amountReturned: 12_000,
      returns: [{ paymentId: first.id, amount: 12_000, tax: 2000 }],
      nextPayment: { value: 2000, tax: 0 },
    });
    const { body: answer } = await plans.update(subscribed, body);
    expect(answer.data).toMatchObject({ payment: null, subscription: { value: 1000 } });
    expect((await shown(subscribed)).refunds).toEqual([]);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 2000 });
    expect((await shown(subscribed)).refunds).toMatchObject([
      { status: 'succeeded', amount: 12_000, tax: 2000, paymentId: first.id },
    ]);
    expect(await listWaiting(subscribed)).toEqual([]);
  });

  it('T52 none: neither, the new price from the next period', async () => {
    const { prorationDate: _, ...subscribed } = await startAtReverseCharge();
    const body = { offerId: smallId, prorationBehavior: 'none' };
    expect(await plans.preview(subscribed, body)).toMatchObject({
      amountDue: 0,
      amountReturned: 0,
      returns: [],
      nextPayment: { value: 1000 },
    });
    await plans.update(subscribed, body);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 1000 });
    expect((await shown(subscribed)).refunds).toEqual([]);
  });

  it.each(['create_prorations', 'always_invoice'])(
    'T52 another interval, %s: the full new period is charged, and 12,000 goes back',
    async (prorationBehavior) => {
      const { prorationDate, ...subscribed } = await startAtReverseCharge();
      const body = { offerId: yearlyId, prorationBehavior, prorationDate };
      const preview = await plans.preview(subscribed, body);
      expect(preview).toMatchObject({ amountDue: 1000, amountReturned: 12_000 });
      const { payment, subscription } = (await plans.update(subscribed, body)).body.data;
      expect(payment).toMatchObject({ status: 'PAID', value: 1000, tax: 0 });
      expect(subscription).toMatchObject({ recurringInterval: 'year', status: 'active' });
      const { refunds } = await shown(subscribed);
      expect(refunds).toMatchObject([{ status: 'succeeded', amount: 12_000, tax: 2000 }]);
    },
  );

  async function expectUnchanged(subscribed: Subscribed): Promise<void> {
    expect((await shown(subscribed)).refunds).toEqual([]);
    expect(await firstOf(subscribed)).toMatchObject({ status: 'PAID', refundedValue: 0 });
    expect(await show(app, subscribed)).toMatchObject({ status: 'active', value: 10_000 });
  }
});

describe('a credit of a tax that is charged no more', () => {
  it('is paid back though the plan stays, once no line of a payment bears its tax', async () => {
    const subscribed = await startTaxed();
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    await plans.update(subscribed, { offerId: smallId, prorationDate });
    // 12,000 less 1,200 at French VAT; while that is charged, the rest would lower what comes.
    expect(await plans.upcoming(subscribed)).toMatchObject({ value: 0 });
    await handInTaxNumber(subscribed);
    // The charge of 1,200 that waits is of that tax still.
    expect(await plans.upcoming(subscribed)).toMatchObject({ value: 1000, tax: 0 });
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 1000 });
    expect((await shown(subscribed)).refunds).toEqual([]);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 1000 });
    expect((await shown(subscribed)).refunds).toMatchObject([
      { status: 'succeeded', amount: 10_800, tax: 1800 },
    ]);
    expect(await listWaiting(subscribed)).toEqual([]);
    expect(await firstOf(subscribed)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 10_800 });
    // What was left of the credit's payment is the plan of 1,000 at French VAT.
    const { body } = await refund(subscribed, { paymentId: (await firstOf(subscribed)).id });
    expect(body.data.refund).toMatchObject({ amount: 1200, tax: 200 });
  });

  it('carries on while its tax is charged, over payments of 0, and is paid back after', async () => {
    const subscribed = await startTaxed();
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    await plans.update(subscribed, { offerId: smallId, prorationDate });
    // 10,800 of credit: one renewal of 1,200 is of 0.
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 0 });
    expect((await shown(subscribed)).refunds).toEqual([]);
    await handInTaxNumber(subscribed);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 1000 });
    expect((await shown(subscribed)).refunds).toMatchObject([{ amount: 9600, tax: 1600 }]);
  });

  it('comes from the payments that carried credits came from, where the period was paid with those', async () => {
    const subscribed = await startTaxed();
    const first = await firstOf(subscribed);
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    await plans.update(subscribed, { offerId: smallId, prorationDate });
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 0 });
    await handInTaxNumber(subscribed);
    const { currentIntervalStart: at } = await show(app, subscribed);
    const body = { offerId: bigId, prorationBehavior: 'always_invoice', prorationDate: at };
    const preview = await plans.preview(subscribed, body);
    // The period was paid with 1,200 of credit; it and the 9,600 that wait go back, by one refund.
    expect(preview).toMatchObject({
      amountDue: 10_000,
      amountReturned: 10_800,
      returns: [{ paymentId: first.id, amount: 10_800, tax: 1800 }],
    });
    await plans.update(subscribed, body);
    expect((await shown(subscribed)).refunds).toMatchObject([{ amount: 10_800, tax: 1800 }]);
  });

  it('is used up where nothing is paid back: what has ended owes nothing', async () => {
    const { prorationDate, ...subscribed } = await startAtReverseCharge();
    await plans.update(subscribed, { offerId: smallId, prorationDate });
    await app.test.patch(`/v0/subscriptions/${subscribed.number}/cancel`, {});
    await advance(app, app.test.scope, 40 * DAY_MS);
    expect((await shown(subscribed)).refunds).toEqual([]);
  });

  it('at a dispute waits', async () => {
    const subscribed = await subscribe(app, bigId, {
      userEmail: `${Math.random()}@example.com`,
      billingDetails: FRENCH,
      card: DISPUTED,
    });
    await handInTaxNumber(subscribed);
    await plans.withCard(subscribed, VISA);
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    await plans.update(subscribed, { offerId: smallId, prorationDate });
    await advance(app, app.test.scope, DAY_MS + 3_600_000);
    expect(await show(app, subscribed)).toMatchObject({ status: 'paused' });
    expect(await listWaiting(subscribed)).toEqual([-12_000, 1000]);
    expect((await shown(subscribed)).refunds).toEqual([]);
  });
});

describe('a refund after a credit', () => {
  it('lowers what waits, so that no money goes back twice', async () => {
    const subscribed = await startTaxed();
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    await plans.update(subscribed, { offerId: smallId, prorationDate });
    expect(await listWaiting(subscribed)).toEqual([-12_000, 1200]);
    await refund(subscribed, { amount: 5000 });
    expect(await listWaiting(subscribed)).toEqual([-8200, 1200]);
    await refund(subscribed, {});
    expect(await listWaiting(subscribed)).toEqual([-1200, 1200]);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 1200 });
  });

  it('lowers the newest first, and the credits of its own period alone', async () => {
    const subscribed = await startTaxed();
    const { currentIntervalStart: from, currentIntervalEnd: to } = await show(app, subscribed);
    const half = (from + to) / 2;
    await plans.update(subscribed, { offerId: smallId, prorationDate: from });
    await plans.update(subscribed, { offerId: bigId, prorationDate: half });
    await plans.update(subscribed, { offerId: smallId, prorationDate: half });
    // −12,000 + 1,200, then −600 + 6,000, then −6,000 + 600.
    await refund(subscribed, { amount: 7000 });
    expect(await listWaiting(subscribed)).toEqual([-12_000, 1200, -600, 6000, -200, 600]);
  });

  it('is undone in full where the refund fails', async () => {
    const subscribed = await startTaxed();
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    await plans.update(subscribed, { offerId: smallId, prorationDate });
    const { sandbox } = app.service.payments;
    const { refund: original } = sandbox;
    sandbox.refund = async () => ({ kind: 'failed', reason: 'too_old', message: 'The charge is too old.' });
    try {
      await refund(subscribed, { amount: 5000 });
    } finally {
      sandbox.refund = original;
    }
    expect((await listWaiting(subscribed)).toSorted((a, b) => a - b)).toEqual([-8200, -3800, 1200]);
  });

  it('that its processor refuses to pay back goes on waiting', async () => {
    const { prorationDate, ...subscribed } = await startAtReverseCharge();
    const { sandbox } = app.service.payments;
    const { refund: original } = sandbox;
    sandbox.refund = async () => ({ kind: 'failed', reason: 'too_old', message: 'The charge is too old.' });
    const body = { offerId: smallId, prorationBehavior: 'always_invoice', prorationDate };
    try {
      await plans.update(subscribed, body);
    } finally {
      sandbox.refund = original;
    }
    expect((await shown(subscribed)).refunds).toMatchObject([{ status: 'failed', amount: 12_000 }]);
    expect(await listWaiting(subscribed)).toEqual([-12_000]);
    // It is not asked again and again.
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 1000 });
    expect((await shown(subscribed)).refunds).toHaveLength(1);
    expect(await listWaiting(subscribed)).toEqual([-12_000]);
  });
});

async function mailsOf({ orderId }: Subscribed, kind: string): Promise<number> {
  const rows = await app.service.db
    .selectFrom('mails')
    .select('id')
    .where(inScope(app.test.scope))
    .where('orderId', '=', orderId)
    .where('kind', '=', kind)
    .execute();
  return rows.length;
}
