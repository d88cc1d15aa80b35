import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inScope } from '../../src/db/scope.ts';
import { CAPTURED, type PaymentStatus } from '../../src/domain/states/payment.ts';
import { canAct, type SubscriptionStatus } from '../../src/domain/states/subscription.ts';
import { boundaryMs } from '../../src/domain/subscriptions/period.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { listPeriods, putToRest, type Subscribed, show, subscribe } from '../support/subscribing.ts';

/** More lives by hand: `LIVES=500 npm test -- subscription-lives`; a failure prints its seed and path. */
const RUNS = Number(process.env.LIVES ?? 12);
const SEED = Number(process.env.LIVES_SEED ?? 20_270_131);

type Act =
  | { act: 'wait'; days: number }
  | { act: 'pause'; behavior: 'void' | 'keep_as_draft' | 'mark_uncollectible'; forDays: number | null }
  | { act: 'resume' }
  | { act: 'end-trial' }
  | { act: 'card'; number: string }
  | { act: 'change'; quantity: number; prorationBehavior: 'create_prorations' | 'always_invoice' | 'none' }
  | { act: 'refund'; amount: number }
  | { act: 'cancel-later' }
  | { act: 'cancel' };

const GOOD = '4242424242424242';
const CARDS = [GOOD, GOOD, '4000000000000002', '4000000000009987', '4000000000000119', '4000002500003155'];

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ act: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 20 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('pause' as const),
      behavior: fc.constantFrom('void' as const, 'keep_as_draft' as const, 'mark_uncollectible' as const),
      forDays: fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ act: 'resume' as const }) },
  { weight: 1, arbitrary: fc.constant({ act: 'end-trial' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('card' as const), number: fc.constantFrom(...CARDS) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('change' as const),
      quantity: fc.integer({ min: 1, max: 4 }),
      prorationBehavior: fc.constantFrom(
        'create_prorations' as const,
        'always_invoice' as const,
        'none' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 900 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'cancel-later' as const }) },
  { weight: 1, arbitrary: fc.constant({ act: 'cancel' as const }) },
);

const anyLife = fc.record({
  plan: fc.constantFrom('weekly' as const, 'monthly' as const, 'trial' as const),
  acts: fc.array(anyAct, { minLength: 4, maxLength: 14 }),
});

let app: TestApp;
let plans: Record<'weekly' | 'monthly' | 'trial', string>;

beforeAll(async () => {
  app = await createTestApp();
  plans = {
    weekly: await makePlanOffer(app.test, { price: 700, recurringInterval: 'week' }),
    monthly: await makePlanOffer(app.test, { price: 1900 }),
    trial: await makePlanOffer(app.test, { price: 1900, trialInterval: 'day', trialIntervalCount: 10 }),
  };
});
afterAll(() => app.close());

/** What may be asked in a state is answered with 200, what may not with 409, and nothing else ever. */
async function perform(subscribed: Subscribed, offerId: string, one: Act): Promise<void> {
  const { number, userId, orderId } = subscribed;
  const path = `/v0/subscriptions/${number}`;
  const before = await show(app, subscribed);
  const status = before.status as SubscriptionStatus;
  const expectAnswer = async (isAllowed: boolean, answer: Promise<{ status: number }>) =>
    expect({ one, status, answer: (await answer).status }).toEqual({
      one,
      status,
      answer: isAllowed ? 200 : 409,
    });
  switch (one.act) {
    case 'wait':
      await advance(app, app.test.scope, one.days * DAY_MS);
      return;
    case 'card': {
      const paymentData = { sandboxCustomerId: `card_${one.number}` };
      expect((await app.test.patch(`/v0/users/${userId}/update`, { paymentData })).status).toBe(200);
      await app.wired.worker.runDue();
      return;
    }
    case 'change': {
      const { prorationBehavior, quantity } = one;
      const sent = { items: [{ offerId, quantity }], prorationBehavior };
      const answer = await app.test.patch(`${path}/update`, sent);
      // One change, or the payment of the period, may be waiting for money.
      const isWaiting = ['change_pending', 'payment_pending'].includes(answer.body.error?.code);
      if (isWaiting) return;
      return expectAnswer(canAct('update_items', status), Promise.resolve(answer));
    }
    case 'refund': {
      const answer = await app.test.post(`/v0/orders/${orderId}/refunds`, { amount: one.amount });
      expect([200, 400, 409]).toContain(answer.status);
      return;
    }
    case 'pause': {
      const { body } = await app.test.get('/v0/test-clock');
      const resumeAt = one.forDays === null ? null : body.data.testClock.now + one.forDays * DAY_MS;
      const sent = { invoicingBehavior: one.behavior, resumeAt };
      return expectAnswer(canAct('pause', status), app.test.patch(`${path}/pauseCollection`, sent));
    }
    case 'resume':
      return expectAnswer(canAct('resume', status), app.test.patch(`${path}/resume`));
    case 'end-trial':
      return expectAnswer(canAct('end_trial', status), app.test.post(`${path}/end-trial`));
    case 'cancel-later':
      return expectAnswer(
        canAct('set_cancel_flag', status),
        app.test.patch(`${path}/cancel`, { cancelOption: 'endInterval' }),
      );
    case 'cancel':
      return expectAnswer(canAct('cancel_now', status), app.test.patch(`${path}/cancel`));
  }
}

/** Every period payment lies on the calendar of the anchor, and what was taken is what is said to be paid. */
async function expectBooks(subscribed: Subscribed): Promise<void> {
  const { service, test } = app;
  const row = await service.db
    .selectFrom('subscriptions')
    .select(['anchorAt', 'recurringInterval', 'recurringIntervalCount'])
    .where(inScope(test.scope))
    .where('id', '=', subscribed.id)
    .executeTakeFirstOrThrow();
  const interval = { unit: row.recurringInterval, count: row.recurringIntervalCount };
  const boundaries = new Set(
    Array.from({ length: 200 }, (_, n) => boundaryMs(row.anchorAt ?? 0, interval, n)),
  );
  const periods = await listPeriods(app, subscribed);
  for (const { periodStart } of periods) expect(boundaries.has(periodStart ?? -1)).toBe(true);
  const payments = await service.db
    .selectFrom('payments')
    .select(['id', 'type', 'status', 'value'])
    .where(inScope(test.scope))
    .where('subscriptionId', '=', subscribed.id)
    .where('value', '>', 0n)
    .execute();
  const { rows } = await service.pool.query<{ paymentId: string; taken: number }>(
    `select c.payment_id as "paymentId", count(*)::int as taken from sandbox_charges s join charges c on c.id = s.id
     where s.status = 'succeeded' group by 1`,
  );
  const taken = new Map(rows.map((one) => [one.paymentId, one.taken]));
  const wrong = payments.filter(
    ({ id, status }) => (taken.get(id) ?? 0) !== (CAPTURED.has(status as PaymentStatus) ? 1 : 0),
  );
  expect(wrong).toEqual([]);
}

it('any life of a subscription leaves the books right and every invariant unbroken', async () => {
  await fc.assert(
    fc.asyncProperty(anyLife, async ({ plan, acts }) => {
      await putToRest(app);
      const userEmail = `${Math.random()}@example.com`;
      const subscribed = await subscribe(app, plans[plan], { userEmail });
      for (const one of acts) await perform(subscribed, plans[plan], one);
      // What is still undecided at the processor is decided within minutes.
      await advance(app, app.test.scope, DAY_MS / 24);
      await expectBooks(subscribed);
      await expectInvariants(app);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
}, 300_000);
