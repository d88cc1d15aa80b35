/** Changes of plan: what they cost, when they hold, and that the preview says so to the cent. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { authenticate, listTold } from '../support/buying.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { listPeriods, putToRest, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let silverId: string;
let goldId: string;

beforeAll(async () => {
  app = await createTestApp();
  silverId = await makePlanOffer(app.test, { price: 1000, name: 'Silver' });
  goldId = await makePlanOffer(app.test, { price: 3000, name: 'Gold' });
});
afterEach(() => putToRest(app));
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

const buyer = () => ({ userEmail: `${Math.random()}@example.com` });
const start = (offerId = silverId, body: Record<string, unknown> = {}) =>
  subscribe(app, offerId, { ...buyer(), ...body });
const update = ({ number }: Subscribed, body: Record<string, unknown>) =>
  app.test.patch(`/v0/subscriptions/${number}/update`, body);
const preview = async ({ number }: Subscribed, body: Record<string, unknown>) =>
  (await app.test.post(`/v0/subscriptions/${number}/preview-update`, body, { keys: 'public' })).body.data
    .preview;
const upcoming = async ({ number }: Subscribed) =>
  (await app.test.get(`/v0/subscriptions/${number}/upcoming-payment`)).body.data.upcomingPayment;
const renew = async (subscribed: Subscribed) => {
  const { currentIntervalEnd } = await show(app, subscribed);
  const clock = await app.test.get('/v0/test-clock');
  await advance(app, app.test.scope, currentIntervalEnd - clock.body.data.testClock.now + 1);
  return (await show(app, subscribed)).lastPayment;
};

const listTypes = async ({ orderId }: Subscribed) => (await listTold(app, orderId)).map(({ type }) => type);
const withCard = async (subscribed: Subscribed, card: string) => {
  const paymentData = { sandboxCustomerId: `card_${card}` };
  const { status } = await app.test.patch(`/v0/users/${subscribed.userId}/update`, { paymentData });
  expect(status).toBe(200);
};
const toGold = { offerId: '', prorationBehavior: 'always_invoice' };
const invoice = (subscribed: Subscribed) => update(subscribed, { ...toGold, offerId: goldId });
const wait = (ms: number) => advance(app, app.test.scope, ms);
const sumWaiting = async ({ id }: Subscribed) => {
  const lines = await app.service.db
    .selectFrom('paymentLines')
    .select('total')
    .where('subscriptionId', '=', id)
    .where('paymentId', 'is', null)
    .execute();
  return lines.reduce((sum, { total }) => sum + total, 0n);
};
const PAYS_ONCE = '4000000000000341';
const AUTHENTICATES = '4000002500003155';
const UNKNOWN_FIRST = '4000000000000119';

describe('a change within the period', () => {
  const moments = [
    ['its start', 0],
    ['its middle', 0.5],
    ['its last millisecond', 1],
  ] as const;
  const behaviors = ['create_prorations', 'always_invoice', 'none'] as const;
  const ways = moments.flatMap(([moment, share]) =>
    behaviors.map((behavior) => ({ moment, share, behavior })),
  );

  it.each(ways)('up, with $behavior at $moment, costs what its preview said', async ({ share, behavior }) => {
    await expectAsPreviewed(await start(), { share, behavior, offerId: goldId });
  });

  it.each(ways)(
    'down, with $behavior at $moment, costs what its preview said',
    async ({ share, behavior }) => {
      await expectAsPreviewed(await start(goldId), { share, behavior, offerId: silverId });
    },
  );

  async function expectAsPreviewed(
    subscribed: Subscribed,
    { share, behavior, offerId }: { share: number; behavior: string; offerId: string },
  ) {
    const { currentIntervalStart: from, currentIntervalEnd: to } = await show(app, subscribed);
    const prorationDate = Math.min(Math.floor(from + (to - from) * share), to - 1);
    const body = { offerId, prorationBehavior: behavior, prorationDate };
    const shown = await preview(subscribed, body);
    const { status, body: answer } = await update(subscribed, body);
    expect(status).toBe(200);
    expect(answer.data.payment?.value ?? 0).toBe(shown.amountDue);
    expect(await upcoming(subscribed)).toEqual(shown.nextPayment);
    const paid = await renew(subscribed);
    expect(paid).toMatchObject({ status: 'PAID', value: shown.nextPayment.value });
  }

  it('and its undo cost nothing', async () => {
    const subscribed = await start();
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    await update(subscribed, { offerId: goldId, prorationDate });
    await update(subscribed, { offerId: silverId, prorationDate });
    expect(await upcoming(subscribed)).toMatchObject({ value: 1190, tax: 190 });
  });

  it('is refused while the period is still being paid for', async () => {
    const subscribed = await start();
    await withCard(subscribed, UNKNOWN_FIRST);
    expect(await renew(subscribed)).toMatchObject({ status: 'PENDING' });
    await expectRefusal(update(subscribed, { offerId: goldId }), 409, 'payment_pending');
    await wait(10 * MINUTE_MS);
    expect((await update(subscribed, { offerId: goldId })).status).toBe(200);
  });

  it('is made once however often it is asked for at once', async () => {
    const subscribed = await start();
    const answers = await Promise.all(Array.from({ length: 5 }, () => invoice(subscribed)));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const payments = await app.test.get(
      `/v0/payments/list?types=subscription_update&userId=${subscribed.userId}`,
    );
    expect(payments.body.data.payments).toMatchObject([{ status: 'PAID' }]);
  });
});

describe('the upcoming payment', () => {
  it('of a pause that ends is the first one after it', async () => {
    const subscribed = await start();
    const { currentIntervalEnd } = await show(app, subscribed);
    const pause = (body: object) =>
      app.test.patch(`/v0/subscriptions/${subscribed.number}/pauseCollection`, body);
    await pause({ resumeAt: currentIntervalEnd + DAY_MS });
    const shown = await upcoming(subscribed);
    expect(shown.date).toBeGreaterThanOrEqual(currentIntervalEnd + 28 * DAY_MS);
    await wait(shown.date - currentIntervalEnd + 31 * DAY_MS);
    expect(await listPeriods(app, subscribed)).toMatchObject([
      { status: 'PAID', periodStart: shown.date, value: BigInt(shown.value) },
    ]);
  });

  it('of a trial is what ending it charges', async () => {
    const trial = { trialInterval: 'day', trialIntervalCount: 14 };
    const subscribed = await start(await makePlanOffer(app.test, { price: 777, ...trial }), { quantity: 3 });
    const { value } = await upcoming(subscribed);
    const ended = await app.test.post(`/v0/subscriptions/${subscribed.number}/end-trial`, {});
    expect(ended.body.data.payment).toMatchObject({ status: 'PAID', value });
  });
});

describe('a change that waits for its money', () => {
  it('holds once paid, with its own invoice, and tells payment and change', async () => {
    const subscribed = await start();
    const { body } = await invoice(subscribed);
    expect(body.data).toMatchObject({
      success: true,
      subscription: { value: 3000, items: [{ offerId: goldId }] },
      payment: { type: 'subscription_update', status: 'PAID', number: `${subscribed.number}-1` },
    });
    expect(body.data.payment.invoiceNumber).not.toBeNull();
    expect((await listTypes(subscribed)).slice(3)).toEqual(['payment_success', 'subscription_updated']);
    const told = (await listTold(app, subscribed.orderId)).at(-2);
    expect(told?.body.data).toMatchObject({ items: [{}, {}] });
  });

  it('leaves the old plan after a decline, and nothing of it comes later', async () => {
    const subscribed = await start(silverId, { card: PAYS_ONCE });
    const { body } = await invoice(subscribed);
    expect(body.data).toMatchObject({
      success: false,
      subscription: { status: 'active', value: 1000, items: [{ offerId: silverId }] },
      payment: { status: 'FAILED' },
    });
    expect((await listTypes(subscribed)).slice(3)).toEqual(['payment_failed']);
    expect((await upcoming(subscribed)).value).toBe(1190);
    await withCard(subscribed, '4242424242424242');
    expect((await invoice(subscribed)).body.data.payment.status).toBe('PAID');
  });

  it('runs on with the old plan while the buyer authenticates, and changes when they have', async () => {
    const subscribed = await start();
    await withCard(subscribed, AUTHENTICATES);
    const { body } = await invoice(subscribed);
    expect(body.data).toMatchObject({
      success: false,
      subscription: { value: 1000 },
      payment: { status: 'PENDING' },
    });
    await expectRefusal(invoice(subscribed), 409, 'change_pending');
    await authenticate(app, `/sandbox/authenticate/${body.data.payment.charges[0].id}`, 'approve');
    await wait(DAY_MS);
    expect(await show(app, subscribed)).toMatchObject({ value: 3000, lastPayment: { status: 'PAID' } });
  });

  it('expires after a day without the authentication, and the old plan stays', async () => {
    const subscribed = await start();
    await withCard(subscribed, AUTHENTICATES);
    await invoice(subscribed);
    await wait(DAY_MS + MINUTE_MS);
    expect(await show(app, subscribed)).toMatchObject({ value: 1000, lastPayment: { status: 'EXPIRED' } });
    expect((await update(subscribed, { offerId: goldId })).status).toBe(200);
  });

  it('is rolled back with its payment, and what had waited before waits again', async () => {
    const subscribed = await start(silverId, { quantity: 2 });
    await update(subscribed, { offerId: silverId });
    const before = await upcoming(subscribed);
    const waiting = await sumWaiting(subscribed);
    expect(waiting).toBeLessThan(0n);
    await withCard(subscribed, AUTHENTICATES);
    const { body } = await invoice(subscribed);
    const cancelled = await app.test.post(`/v0/payments/${body.data.payment.id}/cancel`, {});
    expect(cancelled.body.data.payment.status).toBe('CANCELLED');
    expect(await show(app, subscribed)).toMatchObject({
      value: 1000,
      items: [{ offerId: silverId, quantity: 1 }],
    });
    const after = await upcoming(subscribed);
    expect(after.value).toBe(before.value);
    expect(await sumWaiting(subscribed)).toEqual(waiting);
  });

  it('paid for after the old plan was renewed, brings the new period to the new plan', async () => {
    const subscribed = await start();
    const payment = await leaveOverRenewal(subscribed, {
      offerId: goldId,
      prorationBehavior: 'always_invoice',
    });
    await authenticate(app, `/sandbox/authenticate/${payment.charges[0].id}`, 'approve');
    expect(await show(app, subscribed)).toMatchObject({ value: 3000 });
    // The next period, and for this one what gold costs more than silver.
    expect((await upcoming(subscribed)).value).toBe(3570 + 3570 - 1190);
  });

  it('to another interval begins when it is paid for, and gives back what was renewed', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const subscribed = await start();
    const payment = await leaveOverRenewal(subscribed, { offerId: yearlyId });
    const { currentIntervalStart } = await show(app, subscribed);
    await authenticate(app, `/sandbox/authenticate/${payment.charges[0].id}`, 'approve');
    const after = await show(app, subscribed);
    expect(after).toMatchObject({
      recurringInterval: 'year',
      lastPayment: { type: 'subscription_interval' },
    });
    expect(after.currentIntervalStart).toBeGreaterThan(currentIntervalStart);
    const { value } = await upcoming(subscribed);
    expect(value).toBeGreaterThanOrEqual(10_710 - 1190);
    expect(value).toBeLessThan(10_710 - 1000);
  });

  /** Asks for a change an hour before the period ends, and lets the old plan be renewed meanwhile. */
  async function leaveOverRenewal(subscribed: Subscribed, body: Record<string, unknown>) {
    const { currentIntervalEnd } = await show(app, subscribed);
    const { now } = (await app.test.get('/v0/test-clock')).body.data.testClock;
    await wait(currentIntervalEnd - now - 60 * MINUTE_MS);
    await withCard(subscribed, AUTHENTICATES);
    const { body: answer } = await update(subscribed, body);
    expect(answer.data.payment.status).toBe('PENDING');
    await withCard(subscribed, '4242424242424242');
    await wait(120 * MINUTE_MS);
    expect(await listPeriods(app, subscribed)).toMatchObject([{ status: 'PAID' }]);
    return answer.data.payment;
  }

  it('waits for the processor to know', async () => {
    const subscribed = await start();
    await withCard(subscribed, UNKNOWN_FIRST);
    expect((await invoice(subscribed)).body.data.payment.status).toBe('PENDING');
    await wait(10 * MINUTE_MS);
    expect(await show(app, subscribed)).toMatchObject({ value: 3000, lastPayment: { status: 'PAID' } });
  });

  it('holds at once and charges nothing where nothing is to be paid', async () => {
    const subscribed = await start(goldId);
    const { body } = await update(subscribed, { offerId: silverId, prorationBehavior: 'always_invoice' });
    expect(body.data).toMatchObject({ success: true, payment: null, subscription: { value: 1000 } });
    expect((await upcoming(subscribed)).value).toBe(0);
  });
});

describe('a credit', () => {
  it('carries over until it is used up, and each payment of 0 is PAID without an invoice', async () => {
    const subscribed = await start(goldId);
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    await update(subscribed, { offerId: silverId, prorationDate });
    // −30 + 10 = −20 net, so that two renewals of 10 cost nothing and the third is paid.
    const values: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const shown = await upcoming(subscribed);
      const paid = await renew(subscribed);
      expect(paid).toMatchObject({ status: 'PAID', value: shown.value });
      values.push(paid.value);
    }
    expect(values).toEqual([0, 0, 1190]);
    const types = (await listTypes(subscribed)).filter((type) => type === 'subscription_interval');
    expect(types).toHaveLength(3);
  });

  it('lapses when the subscription ends', async () => {
    const subscribed = await start(goldId);
    await update(subscribed, { offerId: silverId });
    await app.test.patch(`/v0/subscriptions/${subscribed.number}/cancel`, {});
    const lines = await app.service.db
      .selectFrom('paymentLines')
      .select(['lapsedAt', 'paymentId'])
      .where('subscriptionId', '=', subscribed.id)
      .execute();
    expect(lines.every(({ lapsedAt, paymentId }) => lapsedAt !== null && paymentId === null)).toBe(true);
    expect(lines).toHaveLength(2);
  });

  it('never gives back what was refunded', async () => {
    const subscribed = await start(goldId);
    await app.test.post(`/v0/orders/${subscribed.orderId}/refunds`, { amount: 3000 });
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    const shown = await preview(subscribed, { offerId: silverId, prorationDate });
    expect(shown.lines.map(({ total }: { total: number }) => total)).toEqual([-570, 1190]);
  });
});

describe('another interval', () => {
  it('is paid for in full less the unused rest, and begins anew', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const subscribed = await start();
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    const body = { offerId: yearlyId, prorationDate };
    const shown = await preview(subscribed, body);
    expect(shown.amountDue).toBe(9520);
    const { body: answer } = await update(subscribed, body);
    expect(answer.data).toMatchObject({
      success: true,
      payment: { type: 'subscription_update', status: 'PAID', value: 9520 },
      subscription: { recurringInterval: 'year', value: 9000 },
    });
    const { currentIntervalStart, currentIntervalEnd } = answer.data.subscription;
    expect(currentIntervalStart).toBeGreaterThan(prorationDate);
    expect(currentIntervalEnd - currentIntervalStart).toBeGreaterThanOrEqual(365 * DAY_MS);
    expect((await upcoming(subscribed)).date).toBe(currentIntervalEnd);
    expect(await renew(subscribed)).toMatchObject({ status: 'PAID', value: 10_710 });
  });

  it('makes a payment of 0 where the rest covers it, and carries on what is left', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const subscribed = await start(yearlyId);
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    const { body } = await update(subscribed, { offerId: silverId, prorationDate });
    expect(body.data).toMatchObject({
      payment: { status: 'PAID', value: 0, invoiceNumber: null, charges: [] },
      subscription: { recurringInterval: 'month', status: 'active' },
    });
    expect((await upcoming(subscribed)).value).toBe(0);
  });

  it('takes effect at the end of the period with none', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const subscribed = await start();
    const { currentIntervalEnd } = await show(app, subscribed);
    const { body } = await update(subscribed, { offerId: yearlyId, prorationBehavior: 'none' });
    expect(body.data).toMatchObject({
      payment: null,
      subscription: { recurringInterval: 'month', value: 1000 },
    });
    expect(await upcoming(subscribed)).toMatchObject({ date: currentIntervalEnd, value: 10_710 });
    expect(await renew(subscribed)).toMatchObject({ type: 'subscription_interval', value: 10_710 });
    const after = await show(app, subscribed);
    expect(after).toMatchObject({ recurringInterval: 'year', currentIntervalStart: currentIntervalEnd });
    expect(after.currentIntervalEnd - currentIntervalEnd).toBeGreaterThanOrEqual(365 * DAY_MS);
  });
});

describe('in a trial', () => {
  it('items are swapped without lines, and the trial goes on', async () => {
    const trial = { trialInterval: 'day', trialIntervalCount: 14 };
    const subscribed = await start(await makePlanOffer(app.test, { price: 500, ...trial }));
    const { trialEnd } = await show(app, subscribed);
    const { body } = await invoice(subscribed);
    expect(body.data).toMatchObject({
      payment: null,
      subscription: { status: 'trialing', trialEnd, value: 3000 },
    });
    expect(await renew(subscribed)).toMatchObject({ status: 'PAID', value: 3570 });
  });
});

describe('the discount of the purchase', () => {
  it('lowers the first charged payments, also after a change of plan, and a trial does not count', async () => {
    await app.test.post('/v0/discounts/create', {
      type: 'code',
      discountCode: 'TWICE',
      amount: 50,
      amountType: 'percentage',
      includesAllOffers: true,
      duration: 'repeating',
      durationIntervals: 2,
    });
    const trial = { trialInterval: 'day', trialIntervalCount: 14 };
    const offerId = await makePlanOffer(app.test, { price: 1000, ...trial });
    const subscribed = await start(offerId, { discountCode: 'TWICE' });
    expect(await renew(subscribed)).toMatchObject({ value: 595 });
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    const { body } = await update(subscribed, { ...toGold, offerId: goldId, prorationDate });
    expect(body.data.payment.value).toBe(1785 - 595);
    expect(await renew(subscribed)).toMatchObject({ value: 1785 });
    expect(await renew(subscribed)).toMatchObject({ value: 3570 });
  });
});
