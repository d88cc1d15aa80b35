/** What tests ask of a subscription's money: a change, its preview, what comes next, and the next renewal. */
import { expect } from 'vitest';
import { advance } from './clock.ts';
import type { TestApp } from './harness.ts';
import { type Subscribed, show } from './subscribing.ts';

type Fields = Record<string, unknown>;

/** The operations of one store, on any of its subscriptions. */
export function createPlanOperations(app: TestApp) {
  const { test } = app;
  const pathOf = ({ number }: Subscribed) => `/v0/subscriptions/${number}`;
  const now = async () => (await test.get('/v0/test-clock')).body.data.testClock.now as number;
  return {
    now,
    update: (subscribed: Subscribed, body: Fields) => test.patch(`${pathOf(subscribed)}/update`, body),
    preview: async (subscribed: Subscribed, body: Fields) => {
      const answer = await test.post(`${pathOf(subscribed)}/preview-update`, body, { keys: 'public' });
      return answer.body.data.preview;
    },
    upcoming: async (subscribed: Subscribed) =>
      (await test.get(`${pathOf(subscribed)}/upcoming-payment`)).body.data.upcomingPayment,
    /** Moves the clock just past the end of the period; answers the last payment. */
    renew: async (subscribed: Subscribed) => {
      const { currentIntervalEnd } = await show(app, subscribed);
      await advance(app, test.scope, currentIntervalEnd - (await now()) + 1);
      return (await show(app, subscribed)).lastPayment;
    },
    /** Gives the user another sandbox card, by which the subscription is charged from then on. */
    withCard: async ({ userId }: Subscribed, card: string) => {
      const paymentData = { sandboxCustomerId: `card_${card}` };
      const { status } = await test.patch(`/v0/users/${userId}/update`, { paymentData });
      expect(status).toBe(200);
    },
  };
}
