import { describe, expect, it } from 'vitest';
import { LOST, PAYS_ONCE } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { listPeriods, listSteps, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;

useShop((made) => {
  app = made;
});

const days = (count: number) => advance(app, app.test.scope, count * DAY_MS);

async function startOverdue(dayCount: number): Promise<Subscribed> {
  const offerId = await makePlanOffer(app.test, { price: 500, recurringInterval: 'week' });
  const subscribed = await subscribe(app, offerId, {
    card: PAYS_ONCE,
    userEmail: `${Math.random()}@example.com`,
  });
  await days(7 + dayCount);
  return subscribed;
}

async function giveCard({ userId }: Subscribed, number: string): Promise<void> {
  const paymentData = { sandboxCustomerId: `card_${number}` };
  expect((await app.test.patch(`/v0/users/${userId}/update`, { paymentData })).status).toBe(200);
  await app.wired.worker.runDue();
}

/** Of its first renewal. */
async function countCharges({ number }: Subscribed): Promise<number> {
  const { body } = await app.test.get(`/v0/payments/${number}-1`);
  return body.data.payment.charges.length;
}

const statusesOf = async (subscribed: Subscribed) =>
  (await listPeriods(app, subscribed)).map(({ status }) => status);

describe("a user's new card", () => {
  it('pays all that a subscription owes at once, and renewals from then on', async () => {
    const subscribed = await startOverdue(8);
    expect(await statusesOf(subscribed)).toEqual(['FAILED', 'UNPAID']);
    await giveCard(subscribed, '4242424242424242');
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID']);
    expect((await listSteps(app, subscribed)).slice(-5)).toEqual([
      'payment_success past_due',
      'subscription_interval past_due',
      'payment_success active',
      'subscription_interval active',
      'subscription_updated active',
    ]);
    await days(7);
    expect(await statusesOf(subscribed)).toEqual(['PAID', 'PAID', 'PAID']);
  });

  it('that is declined uses up no day of the run', async () => {
    const subscribed = await startOverdue(1);
    await giveCard(subscribed, '4000000000000002');
    expect(await countCharges(subscribed)).toBe(2);
    await days(1);
    expect(await countCharges(subscribed)).toBe(3);
    await days(19);
    expect((await show(app, subscribed)).status).toBe('unpaid');
  });

  it('that is refused for good is not tried again, until the last day of the run', async () => {
    const subscribed = await startOverdue(1);
    await giveCard(subscribed, LOST);
    expect(await countCharges(subscribed)).toBe(2);
    await days(19);
    expect((await show(app, subscribed)).status).toBe('past_due');
    await days(1);
    expect((await show(app, subscribed)).status).toBe('unpaid');
    expect(await countCharges(subscribed)).toBe(2);
  });

  it('that is declined in place of one refused for good is tried on the days that are left', async () => {
    const offerId = await makePlanOffer(app.test, { price: 500 });
    const subscribed = await subscribe(app, offerId, { userEmail: `${Math.random()}@example.com` });
    await giveCard(subscribed, LOST);
    const { currentIntervalEnd, createdAt } = await show(app, subscribed);
    await advance(app, app.test.scope, currentIntervalEnd - createdAt + DAY_MS);
    await days(2);
    expect(await countCharges(subscribed)).toBe(1);
    await giveCard(subscribed, '4000000000000002');
    const counts = [await countCharges(subscribed)];
    for (const step of [4, 7, 7]) {
      expect((await show(app, subscribed)).status).toBe('past_due');
      await days(step);
      counts.push(await countCharges(subscribed));
    }
    expect(counts).toEqual([2, 3, 4, 5]);
    expect((await show(app, subscribed)).status).toBe('unpaid');
  });

  it('brings an unpaid subscription back: the next boundary of its calendar is the next charge', async () => {
    const subscribed = await startOverdue(30);
    expect((await show(app, subscribed)).status).toBe('unpaid');
    const owed = (await statusesOf(subscribed)).length;
    await giveCard(subscribed, '4242424242424242');
    const { status, currentIntervalStart, currentIntervalEnd } = await show(app, subscribed);
    expect(status).toBe('active');
    expect(currentIntervalEnd - currentIntervalStart).toBe(7 * DAY_MS);
    expect(await statusesOf(subscribed)).toEqual(Array(owed).fill('PAID'));
    await days(7);
    const periods = await listPeriods(app, subscribed);
    expect(periods).toHaveLength(owed + 1);
    expect(periods.at(-1)).toMatchObject({ status: 'PAID', periodStart: currentIntervalEnd });
  });
});
