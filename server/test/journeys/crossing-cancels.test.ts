/** A subscription that is ended while another request has begun to charge it, and no processor was asked to stop that. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { stallNextCharge } from '../support/faulty-processor.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { whileLocked } from '../support/while-locked.ts';

/** By how much the process that answers is ahead of others. */
let aheadMs = 0;
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({}, undefined, { realNowMs: () => Date.now() + aheadMs });
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

/** What ends it, by the number that order and subscription have in common. */
const ENDINGS: Array<[string, (number: string) => ReturnType<typeof app.test.patch>]> = [
  ['the subscription', (number) => app.test.patch(`/v0/subscriptions/${number}/cancel`, { refund: true })],
  ['its order', (number) => app.test.patch(`/v0/orders/${number}/cancel`)],
  [
    'its order by a correction',
    (number) => app.test.patch(`/v0/orders/${number}/update`, { status: 'CANCELLED' }),
  ],
];

it.each(ENDINGS)(
  'takes nothing for a change of plan that has begun in between, and ends after it: %s',
  async (_what, end) => {
    const productId = await makeProduct(app.test, { type: 'Subscription', name: 'Club' });
    const [small, large] = [
      await makePlanOffer(app.test, { productId, price: 1000 }),
      await makePlanOffer(app.test, { productId, price: 3000 }),
    ];
    const { number } = (await buy(app.test, { offersIds: [small] })).body.data.order;
    const charging = stallNextCharge(app);
    const change = { items: [{ offerId: large }], prorationBehavior: 'always_invoice' };
    let changing: ReturnType<typeof app.test.patch> | undefined;
    let ending: ReturnType<typeof app.test.patch> | undefined;
    await whileLocked(app, number, async (waitFor) => {
      aheadMs = 5_000;
      changing = app.test.patch(`/v0/subscriptions/${number}/update`, change);
      await waitFor(1);
      aheadMs = 0;
      ending = end(number);
      await waitFor(2);
    });
    await charging.begun;
    const ended = await ending;
    charging.release();
    expect([ended?.status, (await changing)?.status]).toEqual([200, 200]);
    const { payments, subscription } = (await app.test.get(`/v0/orders/${number}`)).body.data;
    expect(subscription.status).toBe('canceled');
    const types = payments.map(({ type, status }: { type: string; status: string }) => `${type} ${status}`);
    expect(types).toContain('subscription_update CANCELLED');
    const [update] = payments.filter(({ type }: { type: string }) => type === 'subscription_update');
    const { endedAt } = (await app.test.get(`/v0/subscriptions/${number}`)).body.data.subscription;
    expect(endedAt).toBeGreaterThanOrEqual(update.createdAt);
  },
);
