/** The payment of a period that the merchant calls off takes nothing with it that was meant for the next one. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPlanOperations } from '../support/changing-plans.ts';
import { advance, DAY_MS } from '../support/clock.ts';
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
  const inclusive = { taxBehavior: 'inclusive' };
  silverId = await makePlanOffer(app.test, { price: 1000, ...inclusive });
  goldId = await makePlanOffer(app.test, { price: 3000, ...inclusive });
});

const start = (offerId: string, body: Record<string, unknown> = {}) =>
  subscribe(app, offerId, { userEmail: `${randomUUID()}@example.com`, ...body });
const act = ({ number }: Subscribed, verb: string, body: Record<string, unknown> = {}) =>
  app.test.patch(`/v0/subscriptions/${number}/${verb}`, body);

/** Moves past the period in a pause, and calls off the draft that it leaves. */
async function cancelDraft(subscribed: Subscribed) {
  await act(subscribed, 'pauseCollection', { invoicingBehavior: 'keep_as_draft' });
  const { currentIntervalEnd } = await show(app, subscribed);
  await advance(app, app.test.scope, currentIntervalEnd - (await plans.now()) + DAY_MS);
  const draft = (await listPeriods(app, subscribed)).at(-1);
  expect(draft).toMatchObject({ status: 'UNPAID' });
  const { body } = await app.test.post(`/v0/payments/${draft?.number}/cancel`, {});
  expect(body.data.payment.status).toBe('CANCELLED');
  await act(subscribed, 'resume');
}

describe('the payment of a period that is called off', () => {
  it('gives back the credits and charges that it had taken', async () => {
    const subscribed = await start(goldId);
    const { currentIntervalStart: prorationDate } = await show(app, subscribed);
    await plans.update(subscribed, { offerId: silverId, prorationDate });
    expect(await plans.upcoming(subscribed)).toMatchObject({ value: 0 });
    await cancelDraft(subscribed);
    // Of the credit of 2000 the draft had used 1000.
    expect(await plans.upcoming(subscribed)).toMatchObject({ value: 0 });
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 0 });
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 0 });
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 1000 });
  });

  it('is not counted among those that the discount lowers', async () => {
    const subscribed = await startLowered();
    await cancelDraft(subscribed);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 500 });
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 1000 });
  });
});

it('a period that is given up in a pause is not counted among those that the discount lowers', async () => {
  const subscribed = await startLowered();
  await act(subscribed, 'pauseCollection', { invoicingBehavior: 'mark_uncollectible' });
  expect(await plans.renew(subscribed)).toMatchObject({ status: 'CANCELLED', value: 500 });
  await act(subscribed, 'resume');
  expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 500 });
  expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 1000 });
});

/** The discount halves two payments, the first one among them. */
async function startLowered(): Promise<Subscribed> {
  const discountCode = randomUUID();
  await app.test.post('/v0/discounts/create', {
    type: 'code',
    discountCode,
    amount: 50,
    amountType: 'percentage',
    duration: 'repeating',
    durationIntervals: 2,
    includesAllOffers: true,
  });
  return start(silverId, { discountCode });
}
