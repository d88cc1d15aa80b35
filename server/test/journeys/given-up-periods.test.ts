/** A plan changes within a period that was not charged: it gives nothing back, and has no discount of its own. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPlanOperations } from '../support/changing-plans.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let plans: ReturnType<typeof createPlanOperations>;
let silverId: string;
let goldId: string;
let yearlyId: string;

useShop(async (made) => {
  app = made;
  plans = createPlanOperations(app);
  const inclusive = { taxBehavior: 'inclusive' };
  silverId = await makePlanOffer(app.test, { price: 1000, ...inclusive });
  goldId = await makePlanOffer(app.test, { price: 3000, ...inclusive });
  yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year', ...inclusive });
});

const act = ({ number }: Subscribed, verb: string, body: Record<string, unknown> = {}) =>
  app.test.patch(`/v0/subscriptions/${number}/${verb}`, body);

/** Silver, in its second period, which a pause has given up; half off the first `count` payments, if any. */
async function startGivenUp(invoicingBehavior: string, count: number): Promise<Subscribed> {
  const discountCode = randomUUID();
  await app.test.post('/v0/discounts/create', {
    type: 'code',
    discountCode,
    amount: 50,
    amountType: 'percentage',
    duration: 'repeating',
    durationIntervals: Math.max(count, 1),
    includesAllOffers: true,
  });
  const subscribed = await subscribe(app, silverId, {
    userEmail: `${randomUUID()}@example.com`,
    ...(count > 0 ? { discountCode } : {}),
  });
  await act(subscribed, 'pauseCollection', { invoicingBehavior });
  await plans.renew(subscribed);
  await act(subscribed, 'resume');
  return subscribed;
}

/** From the first moment of the period on, so that the sums are those of whole plans. */
async function changeTo(subscribed: Subscribed, offerId: string) {
  const { currentIntervalStart: prorationDate } = await show(app, subscribed);
  const body = { offerId, prorationDate };
  const preview = await plans.preview(subscribed, body);
  expect((await plans.update(subscribed, body)).status).toBe(200);
  return preview.lines.map(({ value }: { value: number }) => value);
}

describe.each(['void', 'mark_uncollectible'])('a period that a pause has given up (%s)', (behavior) => {
  it('gives nothing back, and the rest of it is charged at the new price', async () => {
    const subscribed = await startGivenUp(behavior, 0);
    expect(await changeTo(subscribed, goldId)).toEqual([0, 3000]);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 6000 });
  });

  it('takes no part of a discount whose payments are used up', async () => {
    const subscribed = await startGivenUp(behavior, 1);
    expect(await changeTo(subscribed, goldId)).toEqual([0, 3000]);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 6000 });
  });

  it('has the discount that the next payment has, and uses none of it up', async () => {
    const subscribed = await startGivenUp(behavior, 2);
    expect(await changeTo(subscribed, goldId)).toEqual([0, 1500]);
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 3000 });
    expect(await plans.renew(subscribed)).toMatchObject({ status: 'PAID', value: 3000 });
  });

  it('gives nothing back to another interval either', async () => {
    const subscribed = await startGivenUp(behavior, 1);
    const { body } = await plans.update(subscribed, { offerId: yearlyId });
    expect(body.data.payment).toMatchObject({ status: 'PAID', value: 9000 });
  });
});

it('a period that a change of interval has begun is counted, as one that was renewed', async () => {
  const subscribed = await startGivenUp('void', 2);
  await plans.update(subscribed, { offerId: yearlyId });
  // The second of two lowered payments was that of the year.
  expect(await changeTo(subscribed, await makeYearly(18_000))).toEqual([-4500, 9000]);
});

const makeYearly = (price: number) =>
  makePlanOffer(app.test, { price, recurringInterval: 'year', taxBehavior: 'inclusive' });
