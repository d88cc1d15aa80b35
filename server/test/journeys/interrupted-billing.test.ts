/** What comes while a charge or a change of plan is still under way: found by the simulation, kept as stories. */
import { describe, expect, it } from 'vitest';
import { authenticateCharge } from '../support/buying.ts';
import { AUTHENTICATES, PAYS_ONCE, UNKNOWN_FIRST } from '../support/cards.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { loseNextCharge } from '../support/faulty-processor.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { listPeriods, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;

useShop((made) => {
  app = made;
});

const wait = (ms: number) => advance(app, app.test.scope, ms);
const start = async (fields: Record<string, unknown>, body: Record<string, unknown> = {}) =>
  subscribe(app, await makePlanOffer(app.test, fields), {
    userEmail: `${Math.random()}@example.com`,
    ...body,
  });
const giveCard = ({ userId }: Subscribed, number: string) =>
  app.test.patch(`/v0/users/${userId}/update`, { paymentData: { sandboxCustomerId: `card_${number}` } });
const statusesOf = async (subscribed: Subscribed) =>
  (await listPeriods(app, subscribed)).map(({ status }) => status);

async function toIntervalEnd(subscribed: Subscribed, lessMs: number): Promise<void> {
  const { currentIntervalEnd } = await show(app, subscribed);
  const { body } = await app.test.get('/v0/test-clock');
  await wait(currentIntervalEnd - body.data.testClock.now - lessMs);
}

it('a new card whose first charge is unknown for a while pays all that is owed, also when no retry is left', async () => {
  const subscribed = await start({ price: 500, recurringInterval: 'week' }, { card: PAYS_ONCE });
  await wait(30 * DAY_MS);
  expect((await show(app, subscribed)).status).toBe('unpaid');
  expect(await statusesOf(subscribed)).toEqual(['FAILED', 'UNPAID', 'UNPAID']);
  await giveCard(subscribed, UNKNOWN_FIRST);
  await wait(30 * MINUTE_MS);
  expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID', 'PAID']);
  expect((await show(app, subscribed)).status).toBe('active');
});

describe('a period that ends while the payment of a change is waited for', () => {
  async function change(body: Record<string, unknown>) {
    const subscribed = await start({ price: 1000 });
    await giveCard(subscribed, AUTHENTICATES);
    await toIntervalEnd(subscribed, 60 * MINUTE_MS);
    const path = `/v0/subscriptions/${subscribed.number}/update`;
    const { body: answer } = await app.test.patch(path, body);
    expect(answer.data.payment.status).toBe('PENDING');
    await wait(120 * MINUTE_MS);
    expect(await statusesOf(subscribed)).toEqual([]);
    const [charge] = answer.data.payment.charges;
    return { subscribed, chargeId: charge.id as string, paymentId: answer.data.payment.id as string };
  }

  it('is followed by the new plan once that is paid, and never by both', async () => {
    const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
    const { subscribed, chargeId } = await change({ offerId: yearlyId });
    await authenticateCharge(app, chargeId, 'approve');
    await wait(DAY_MS);
    const { currentIntervalStart, currentIntervalEnd, value } = await show(app, subscribed);
    expect(value).toBe(9000);
    expect(currentIntervalEnd - currentIntervalStart).toBeGreaterThanOrEqual(365 * DAY_MS);
    expect(await statusesOf(subscribed)).toEqual([]);
  });

  it('is followed by a period at the new price within the same interval', async () => {
    const goldId = await makePlanOffer(app.test, { price: 3000 });
    const { subscribed, chargeId } = await change({ offerId: goldId, prorationBehavior: 'always_invoice' });
    await authenticateCharge(app, chargeId, 'approve');
    await wait(DAY_MS);
    expect(await listPeriods(app, subscribed)).toMatchObject([{ status: 'PAID', value: 3570n }]);
  });

  it.each(['called off', 'left undone'])('is followed by the old plan when that is %s', async (how) => {
    const goldId = await makePlanOffer(app.test, { price: 3000 });
    const { subscribed, paymentId } = await change({ offerId: goldId, prorationBehavior: 'always_invoice' });
    await giveCard(subscribed, '4242424242424242');
    if (how === 'called off') await app.test.post(`/v0/payments/${paymentId}/cancel`, {});
    const { currentIntervalEnd: periodStart } = await show(app, subscribed);
    await wait(2 * DAY_MS);
    expect(await listPeriods(app, subscribed)).toMatchObject([{ status: 'PAID', value: 1190n, periodStart }]);
  });
});

describe('a charge that never reached the processor', () => {
  async function loseCharge(lessMs: number) {
    const subscribed = await start({ price: 1000 });
    await toIntervalEnd(subscribed, lessMs);
    loseNextCharge(app);
    const path = `/v0/subscriptions/${subscribed.number}/charge`;
    const { body } = await app.test.post(path, {
      items: [{ name: 'Extra', unitPrice: 500, currency: 'EUR' }],
    });
    expect(body.data.payment.status).toBe('PENDING');
    const paymentId = body.data.payment.id as string;
    return {
      subscribed,
      show: async () => (await app.test.get(`/v0/payments/${paymentId}`)).body.data.payment,
    };
  }

  it('is made again while the subscription goes on', async () => {
    const { show: showPayment } = await loseCharge(DAY_MS);
    await wait(10 * MINUTE_MS);
    expect(await showPayment()).toMatchObject({ status: 'PAID' });
  });

  it('is not made after its end: the payment is off', async () => {
    const { subscribed, show: showPayment } = await loseCharge(5_000);
    await app.test.patch(`/v0/subscriptions/${subscribed.number}/update`, { cancelAtIntervalEnd: true });
    await wait(10 * MINUTE_MS);
    expect((await show(app, subscribed)).status).toBe('canceled');
    const { status, charges, invoiceNumber } = await showPayment();
    expect({ status, invoiceNumber }).toEqual({ status: 'CANCELLED', invoiceNumber: null });
    expect(charges).toMatchObject([{ status: 'failed' }]);
  });
});
