/** Changes of plan: what they cost, and that the preview says so to the cent. */
import { describe, expect, it } from 'vitest';
import { listTold } from '../support/buying.ts';
import { UNKNOWN_FIRST } from '../support/cards.ts';
import { createPlanOperations } from '../support/changing-plans.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { listPeriods, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let plans: ReturnType<typeof createPlanOperations>;
let silverId: string;
let goldId: string;

useShop(async (made) => {
  app = made;
  plans = createPlanOperations(app);
  silverId = await makePlanOffer(app.test, { price: 1000, name: 'Silver' });
  goldId = await makePlanOffer(app.test, { price: 3000, name: 'Gold' });
});

const buyer = () => ({ userEmail: `${Math.random()}@example.com` });
const start = (offerId = silverId, body: Record<string, unknown> = {}) =>
  subscribe(app, offerId, { ...buyer(), ...body });
const wait = (ms: number) => advance(app, app.test.scope, ms);
const invoice = (subscribed: Subscribed) =>
  plans.update(subscribed, { offerId: goldId, prorationBehavior: 'always_invoice' });
const listTypes = async ({ orderId }: Subscribed) => (await listTold(app, orderId)).map(({ type }) => type);

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

  it.each(ways)(
    'T20 up, with $behavior at $moment, costs what its preview said',
    async ({ share, behavior }) => {
      await expectAsPreviewed(await start(), { share, behavior, offerId: goldId });
    },
  );

  it.each(ways)(
    'T20 down, with $behavior at $moment, costs what its preview said',
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
    const shown = await plans.preview(subscribed, body);
    const { status, body: answer } = await plans.update(subscribed, body);
    expect(status).toBe(200);
    expect(answer.data.payment?.value ?? 0).toBe(shown.amountDue);
    expect(await plans.upcoming(subscribed)).toEqual(shown.nextPayment);
    const paid = await plans.renew(subscribed);
    expect(paid).toMatchObject({ status: 'PAID', value: shown.nextPayment.value });
  }

  it('and its undo cost nothing', async () => {
    const subscribed = await start();
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    await plans.update(subscribed, { offerId: goldId, prorationDate });
    await plans.update(subscribed, { offerId: silverId, prorationDate });
    expect(await plans.upcoming(subscribed)).toMatchObject({ value: 1190, tax: 190 });
  });

  it('is refused while the period is still being paid for', async () => {
    const subscribed = await start();
    await plans.withCard(subscribed, UNKNOWN_FIRST);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PENDING' });
    await expectRefusal(plans.update(subscribed, { offerId: goldId }), 409, 'payment_pending');
    await wait(10 * MINUTE_MS);
    expect((await plans.update(subscribed, { offerId: goldId })).status).toBe(200);
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
    const shown = await plans.upcoming(subscribed);
    expect(shown.date).toBeGreaterThanOrEqual(currentIntervalEnd + 28 * DAY_MS);
    await wait(shown.date - currentIntervalEnd + 31 * DAY_MS);
    expect(await listPeriods(app, subscribed)).toMatchObject([
      { status: 'PAID', periodStart: shown.date, value: BigInt(shown.value) },
    ]);
  });

  it('of a pause that keeps drafts is the draft, with what waits, charged as the pause ends', async () => {
    const subscribed = await start(goldId);
    const { currentIntervalStart: prorationDate, currentIntervalEnd } = await show(app, subscribed);
    await plans.update(subscribed, { offerId: silverId, prorationDate });
    const resumeAt = currentIntervalEnd + 40 * DAY_MS;
    await app.test.patch(`/v0/subscriptions/${subscribed.number}/pauseCollection`, {
      invoicingBehavior: 'keep_as_draft',
      resumeAt,
    });
    const shown = await plans.upcoming(subscribed);
    expect(shown).toMatchObject({ date: resumeAt, periodStart: currentIntervalEnd, value: 0 });
    await wait(resumeAt - prorationDate + DAY_MS);
    const periods = await listPeriods(app, subscribed);
    expect(periods[0]).toMatchObject({
      ...{ status: 'PAID', periodStart: shown.periodStart, periodEnd: shown.periodEnd, value: 0n },
    });
  });

  it('of a pause before another interval is the first one of that after the pause', async () => {
    const subscribed = await start();
    const { currentIntervalStart, currentIntervalEnd } = await show(app, subscribed);
    const weekly = await makePlanOffer(app.test, { price: 300, recurringInterval: 'week' });
    await plans.update(subscribed, { offerId: weekly, prorationBehavior: 'none' });
    const resumeAt = currentIntervalEnd + 10 * DAY_MS;
    await app.test.patch(`/v0/subscriptions/${subscribed.number}/pauseCollection`, { resumeAt });
    const shown = await plans.upcoming(subscribed);
    expect(shown.date).toBe(currentIntervalEnd + 14 * DAY_MS);
    expect(shown.periodEnd).toBe(currentIntervalEnd + 21 * DAY_MS);
    await wait(shown.date - currentIntervalStart + DAY_MS);
    expect(await listPeriods(app, subscribed)).toMatchObject([
      { status: 'PAID', periodStart: shown.date, periodEnd: shown.periodEnd, value: BigInt(shown.value) },
    ]);
  });

  it('of a trial is what ending it charges', async () => {
    const trial = { trialInterval: 'day', trialIntervalCount: 14 };
    const subscribed = await start(await makePlanOffer(app.test, { price: 777, ...trial }), { quantity: 3 });
    const { value } = await plans.upcoming(subscribed);
    const ended = await app.test.post(`/v0/subscriptions/${subscribed.number}/end-trial`, {});
    expect(ended.body.data.payment).toMatchObject({ status: 'PAID', value });
  });
});

describe('a credit', () => {
  it('carries over until it is used up, and each payment of 0 is PAID without an invoice', async () => {
    const subscribed = await start(goldId);
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    await plans.update(subscribed, { offerId: silverId, prorationDate });
    // −30 + 10 = −20 net, so that two renewals of 10 cost nothing and the third is paid.
    const values: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const shown = await plans.upcoming(subscribed);
      const paid = await plans.renew(subscribed);
      expect(paid).toMatchObject({ status: 'PAID', value: shown.value });
      values.push(paid.value);
    }
    expect(values).toEqual([0, 0, 1190]);
    const types = (await listTypes(subscribed)).filter((type) => type === 'subscription_interval');
    expect(types).toHaveLength(3);
  });

  it('lapses when the subscription ends', async () => {
    const subscribed = await start(goldId);
    await plans.update(subscribed, { offerId: silverId });
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
    const shown = await plans.preview(subscribed, { offerId: silverId, prorationDate });
    expect(shown.lines.map(({ total }: { total: number }) => total)).toEqual([-570, 1190]);
  });
});

describe('another interval', () => {
  it('is paid for in full less the unused rest, and begins anew', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const subscribed = await start();
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    const body = { offerId: yearlyId, prorationDate };
    const shown = await plans.preview(subscribed, body);
    expect(shown.amountDue).toBe(9520);
    const { body: answer } = await plans.update(subscribed, body);
    expect(answer.data).toMatchObject({
      success: true,
      payment: { type: 'subscription_update', status: 'PAID', value: 9520 },
      subscription: { recurringInterval: 'year', value: 9000 },
    });
    const { currentIntervalStart, currentIntervalEnd } = answer.data.subscription;
    expect(currentIntervalStart).toBeGreaterThan(prorationDate);
    expect(currentIntervalEnd - currentIntervalStart).toBeGreaterThanOrEqual(365 * DAY_MS);
    expect((await plans.upcoming(subscribed)).date).toBe(currentIntervalEnd);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 10_710 });
  });

  it('makes a payment of 0 where the rest covers it, and carries on what is left', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const subscribed = await start(yearlyId);
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    const { body } = await plans.update(subscribed, { offerId: silverId, prorationDate });
    expect(body.data).toMatchObject({
      payment: { status: 'PAID', value: 0, invoiceNumber: null, charges: [] },
      subscription: { recurringInterval: 'month', status: 'active' },
    });
    expect((await plans.upcoming(subscribed)).value).toBe(0);
  });

  it('takes effect at the end of the period with none', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const subscribed = await start();
    const { currentIntervalEnd } = await show(app, subscribed);
    const { body } = await plans.update(subscribed, { offerId: yearlyId, prorationBehavior: 'none' });
    expect(body.data).toMatchObject({
      payment: null,
      subscription: {
        recurringInterval: 'month',
        value: 1000,
        scheduledChange: { items: [{ offerId: yearlyId, value: 9000, quantity: 1 }], at: currentIntervalEnd },
      },
    });
    expect(await listTypes(subscribed)).toContain('subscription_updated');
    expect(await plans.upcoming(subscribed)).toMatchObject({ date: currentIntervalEnd, value: 10_710 });
    expect(await plans.renew(subscribed)).toMatchObject({ type: 'subscription_interval', value: 10_710 });
    const after = await show(app, subscribed);
    expect(after).toMatchObject({
      recurringInterval: 'year',
      currentIntervalStart: currentIntervalEnd,
      scheduledChange: null,
    });
    expect(after.currentIntervalEnd - currentIntervalEnd).toBeGreaterThanOrEqual(365 * DAY_MS);
  });
});

describe('a scheduled change', () => {
  it('is replaced by a further update of items, and by its own plan taken back', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const subscribed = await start();
    await plans.update(subscribed, { offerId: yearlyId, prorationBehavior: 'none' });
    const taken = await plans.update(subscribed, { offerId: silverId, prorationBehavior: 'none' });
    expect(taken.body.data.subscription).toMatchObject({ value: 1000, scheduledChange: null });
    expect(await plans.renew(subscribed)).toMatchObject({ value: 1190 });
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
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 3570 });
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
    expect(await plans.renew(subscribed)).toMatchObject({ value: 595 });
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    const { body } = await plans.update(subscribed, {
      offerId: goldId,
      prorationBehavior: 'always_invoice',
      prorationDate,
    });
    expect(body.data.payment.value).toBe(1785 - 595);
    expect(await plans.renew(subscribed)).toMatchObject({ value: 1785 });
    expect(await plans.renew(subscribed)).toMatchObject({ value: 3570 });
  });
});
