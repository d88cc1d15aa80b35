/** Changes of plan that wait for their money: when they hold, and what is left of those that do not. */
import { describe, expect, it } from 'vitest';
import { authenticateCharge, listTold } from '../support/buying.ts';
import { AUTHENTICATES, PAYS_ONCE, UNKNOWN_FIRST } from '../support/cards.ts';
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
const sumWaiting = async ({ id }: Subscribed) => {
  const lines = await app.service.db
    .selectFrom('paymentLines')
    .select('total')
    .where('subscriptionId', '=', id)
    .where('paymentId', 'is', null)
    .execute();
  return lines.reduce((sum, { total }) => sum + total, 0n);
};

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
    expect((await plans.upcoming(subscribed)).value).toBe(1190);
    await plans.withCard(subscribed, '4242424242424242');
    expect((await invoice(subscribed)).body.data.payment.status).toBe('PAID');
  });

  it('runs on with the old plan while the buyer authenticates, and changes when they have', async () => {
    const subscribed = await start();
    await plans.withCard(subscribed, AUTHENTICATES);
    const { body } = await invoice(subscribed);
    expect(body.data).toMatchObject({
      success: false,
      subscription: { value: 1000 },
      payment: { status: 'PENDING' },
    });
    await expectRefusal(invoice(subscribed), 409, 'change_pending');
    await authenticateCharge(app, body.data.payment.charges[0].id, 'approve');
    await wait(DAY_MS);
    expect(await show(app, subscribed)).toMatchObject({ value: 3000, lastPayment: { status: 'PAID' } });
  });

  it('expires after a day without the authentication, and the old plan stays', async () => {
    const subscribed = await start();
    await plans.withCard(subscribed, AUTHENTICATES);
    await invoice(subscribed);
    await wait(DAY_MS + MINUTE_MS);
    expect(await show(app, subscribed)).toMatchObject({ value: 1000, lastPayment: { status: 'EXPIRED' } });
    expect((await plans.update(subscribed, { offerId: goldId })).status).toBe(200);
  });

  it('is rolled back with its payment, and what had waited before waits again', async () => {
    const subscribed = await start(silverId, { quantity: 2 });
    await plans.update(subscribed, { offerId: silverId });
    const before = await plans.upcoming(subscribed);
    const waiting = await sumWaiting(subscribed);
    expect(waiting).toBeLessThan(0n);
    await plans.withCard(subscribed, AUTHENTICATES);
    const { body } = await invoice(subscribed);
    const cancelled = await app.test.post(`/v0/payments/${body.data.payment.id}/cancel`, {});
    expect(cancelled.body.data.payment.status).toBe('CANCELLED');
    expect(await show(app, subscribed)).toMatchObject({
      value: 1000,
      items: [{ offerId: silverId, quantity: 1 }],
    });
    const after = await plans.upcoming(subscribed);
    expect(after.value).toBe(before.value);
    expect(await sumWaiting(subscribed)).toEqual(waiting);
  });

  it('paid for after the period has ended, is what the next period is of', async () => {
    const subscribed = await start();
    const payment = await leaveOverBoundary(subscribed, {
      offerId: goldId,
      prorationBehavior: 'always_invoice',
    });
    await authenticateCharge(app, payment.charges[0].id, 'approve');
    await wait(MINUTE_MS);
    expect(await show(app, subscribed)).toMatchObject({ status: 'active', value: 3000 });
    expect(await listPeriods(app, subscribed)).toMatchObject([{ status: 'PAID', value: 3570n }]);
  });

  it('to another interval begins when it was asked for, and no period of the old one is charged', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const subscribed = await start();
    const payment = await leaveOverBoundary(subscribed, { offerId: yearlyId });
    const { currentIntervalEnd } = await show(app, subscribed);
    await authenticateCharge(app, payment.charges[0].id, 'approve');
    await wait(MINUTE_MS);
    const after = await show(app, subscribed);
    expect(after).toMatchObject({ status: 'active', recurringInterval: 'year' });
    expect(after.currentIntervalStart).toBe(payment.createdAt);
    expect(after.currentIntervalStart).toBeLessThan(currentIntervalEnd);
    expect(await listPeriods(app, subscribed)).toEqual([]);
    expect((await plans.upcoming(subscribed)).value).toBe(10_710);
  });

  it('left unpaid over the end of the period, is dropped and the old plan is renewed', async () => {
    const subscribed = await start();
    await leaveOverBoundary(subscribed, { offerId: goldId, prorationBehavior: 'always_invoice' });
    await wait(24 * 60 * MINUTE_MS);
    expect(await show(app, subscribed)).toMatchObject({ status: 'active', value: 1000 });
    expect(await listPeriods(app, subscribed)).toMatchObject([{ status: 'PAID', value: 1190n }]);
  });

  /** Asks for a change an hour before the period ends, and lets the end go by: the next period waits for it. */
  async function leaveOverBoundary(subscribed: Subscribed, body: Record<string, unknown>) {
    const { currentIntervalEnd } = await show(app, subscribed);
    const { now } = (await app.test.get('/v0/test-clock')).body.data.testClock;
    await wait(currentIntervalEnd - now - 60 * MINUTE_MS);
    await plans.withCard(subscribed, AUTHENTICATES);
    const { body: answer } = await plans.update(subscribed, body);
    expect(answer.data.payment.status).toBe('PENDING');
    await plans.withCard(subscribed, '4242424242424242');
    await wait(120 * MINUTE_MS);
    expect(await listPeriods(app, subscribed)).toEqual([]);
    return answer.data.payment;
  }

  it('waits for the processor to know', async () => {
    const subscribed = await start();
    await plans.withCard(subscribed, UNKNOWN_FIRST);
    expect((await invoice(subscribed)).body.data.payment.status).toBe('PENDING');
    await wait(10 * MINUTE_MS);
    expect(await show(app, subscribed)).toMatchObject({ value: 3000, lastPayment: { status: 'PAID' } });
  });

  it('holds at once and charges nothing where nothing is to be paid', async () => {
    const subscribed = await start(goldId);
    const { body } = await plans.update(subscribed, {
      offerId: silverId,
      prorationBehavior: 'always_invoice',
    });
    expect(body.data).toMatchObject({ success: true, payment: null, subscription: { value: 1000 } });
    expect((await plans.upcoming(subscribed)).value).toBe(0);
  });
});
