/** Failures that Stripe keeps under their keys for a day: what they were about goes on when it is well again. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp, type StripeApp } from '../support/stripe-app.ts';

const HOUR_MS = 60 * MINUTE_MS;

let shop: StripeApp;
beforeAll(async () => {
  shop = await openStripeApp();
  // Nothing listens where it would tell.
  await shop.double.control('POST /events', { deliver: 'never' });
});
afterEach(() => expectInvariants(shop.app));
afterAll(() => shop?.close());

it('a renewal whose processor fails for hours goes on soon after that, and is charged once', async () => {
  const { test, service } = shop.app;
  const planId = await makePlanOffer(test, { currency: 'EUR', taxBehavior: 'inclusive', price: 900 });
  const bought = await buy(test, {
    ...{ offersIds: [planId], processorId: shop.processorId, paymentMethod: 'pm_card_visa' },
    userEmail: 'buyer@example.com',
  });
  expect(bought.status, bought.text).toBe(200);
  const fault = await shop.double.control<{ id: string }>('POST /faults', {
    match: { account: shop.account.id, method: 'POST', path: '/v1/payment_intents/*/confirm' },
    do: { status: 500, effect: false },
  });
  const { rows: ends } = await service.pool.query<{ end: number }>(
    'select current_interval_end::float as end from subscriptions',
  );
  const dueMs = Number(ends[0]?.end);
  const readRenewals = async () =>
    (
      await service.pool.query<{ status: string; taken: number }>(
        `select p.status, (select count(*)::int from charges c where c.payment_id = p.id and c.status = 'succeeded') as taken
         from payments p where p.type = 'subscription_interval'`,
      )
    ).rows;
  await service.clock.advance(test.scope, dueMs + 3 * HOUR_MS);
  expect(await readRenewals()).toEqual([{ status: 'PENDING', taken: 0 }]);
  await shop.double.control(`DELETE /faults/${fault.id}`);
  await service.clock.advance(test.scope, dueMs + 5 * HOUR_MS);
  expect(await readRenewals()).toEqual([{ status: 'PAID', taken: 1 }]);
  const { charges } = await shop.double.control<{ charges: Record<string, { taken: number }> }>(
    `GET /books?account=${shop.account.id}`,
  );
  expect(Object.values(charges).filter(({ taken }) => taken > 0)).toHaveLength(2);
});
