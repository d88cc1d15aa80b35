/** Sums that Stripe does not charge: they wait for the next payment, and nothing is given away. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPlanOperations } from '../support/changing-plans.ts';
import { DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import { listPeriods, putToRest, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let processorId: string;
let close: () => Promise<void>;
let plans: ReturnType<typeof createPlanOperations>;
beforeAll(async () => {
  ({ app, processorId, close } = await openStripeApp());
  plans = createPlanOperations(app);
});
afterEach(async () => {
  await putToRest(app);
  await expectInvariants(app);
});
afterAll(() => close?.());

const offerOf = (price: number, fields: Record<string, unknown> = {}) =>
  makePlanOffer(app.test, { price, currency: 'EUR', taxBehavior: 'inclusive', ...fields });
let buyers = 0;
async function start(offerId: string): Promise<Subscribed> {
  buyers += 1;
  const userEmail = `small-${buyers}@example.com`;
  return subscribe(app, offerId, { processorId, paymentMethod: 'pm_card_visa', card: undefined, userEmail });
}
const TRIAL = { trialInterval: 'week', trialIntervalCount: 1 };

interface Shown {
  value: number;
  tax: number;
  status: string;
  charges: unknown[];
  items: Array<{ total: number; periodStart: number | null }>;
}
const lastOf = async (subscribed: Subscribed) =>
  (await app.test.get(`/v0/payments/${(await listPeriods(app, subscribed)).at(-1)?.id}`)).body.data
    .payment as Shown;

describe('a period whose payment is below what Stripe charges', () => {
  it('is paid at 0, and its sum is a line of the next', async () => {
    // A trial takes a method for 0, so that the price need not be one that could be charged.
    const subscribed = await start(await offerOf(30, TRIAL));
    expect(await plans.upcoming(subscribed)).toMatchObject({ value: 0 });
    await plans.renew(subscribed);
    expect(await lastOf(subscribed)).toMatchObject({ status: 'PAID', value: 0, tax: 0, charges: [] });
    expect((await show(app, subscribed)).status).toBe('active');
    expect(await plans.upcoming(subscribed)).toMatchObject({ value: 60 });
    await plans.renew(subscribed);
    const paid = await lastOf(subscribed);
    expect(paid).toMatchObject({
      status: 'PAID',
      value: 60,
      charges: [expect.objectContaining({ amount: 60 })],
    });
    const periods = await listPeriods(app, subscribed);
    expect(periods.map(({ value }) => Number(value))).toEqual([0, 60]);
    await plans.renew(subscribed);
    expect(await lastOf(subscribed)).toMatchObject({ status: 'PAID', value: 0 });
  });

  it('is charged as ever where its processor takes any sum', async () => {
    const offerId = await offerOf(30, TRIAL);
    const subscribed = await subscribe(app, offerId, { userEmail: 'sandbox@example.com' });
    await plans.renew(subscribed);
    expect(await lastOf(subscribed)).toMatchObject({ status: 'PAID', value: 30 });
  });
});

describe('a change of plan whose payment is below it', () => {
  it('holds at once, and is billed with the next payment', async () => {
    const [small, big] = [await offerOf(1000), await offerOf(1040)];
    const subscribed = await start(small);
    const change = { items: [{ offerId: big }], prorationBehavior: 'always_invoice' };
    const preview = await plans.preview(subscribed, change);
    expect(preview).toMatchObject({ amountDue: 0 });
    const changed = await plans.update(subscribed, change);
    expect(changed.status, changed.text).toBe(200);
    const { items, pendingPayment = null } = await show(app, subscribed);
    expect([items[0].offerId ?? items[0].offer?.id, pendingPayment]).toEqual([big, null]);
    await plans.renew(subscribed);
    expect(await lastOf(subscribed)).toMatchObject({ status: 'PAID', value: 1080 });
  });

  it('to another interval begins it at 0, and is billed with the next payment', async () => {
    const subscribed = await start(await offerOf(1000));
    const weekly = await offerOf(1030, { recurringInterval: 'week' });
    const change = { items: [{ offerId: weekly }], prorationBehavior: 'always_invoice' };
    const changed = await plans.update(subscribed, change);
    expect(changed.status, changed.text).toBe(200);
    const { lastPayment, currentIntervalStart, currentIntervalEnd } = await show(app, subscribed);
    expect(lastPayment).toMatchObject({ type: 'subscription_update', status: 'PAID', value: 0 });
    expect(currentIntervalEnd - currentIntervalStart).toBe(7 * DAY_MS);
    await plans.renew(subscribed);
    expect(await lastOf(subscribed)).toMatchObject({ status: 'PAID', value: 1060 });
  });
});
