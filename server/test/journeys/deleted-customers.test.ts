/** Somebody deletes a customer in Stripe's dashboard, and with it all methods that were kept there. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp, type StripeApp } from '../support/stripe-app.ts';

let opened: StripeApp;
let planId: string;
beforeAll(async () => {
  opened = await openStripeApp();
  planId = await makePlanOffer(opened.app.test, { price: 900, currency: 'EUR', taxBehavior: 'inclusive' });
});
afterEach(() => expectInvariants(opened.app));
afterAll(() => opened?.close());

function subscribe(userEmail: string) {
  const { processorId, app } = opened;
  return buy(app.test, { offersIds: [planId], processorId, paymentMethod: 'pm_card_visa', userEmail });
}

/** As its dashboard does. */
async function deleteCustomer(userId: string): Promise<void> {
  const { app, account, double } = opened;
  const { rows } = await app.service.pool.query<{ customer_id: string }>(
    'select customer_id from processor_customers where user_id = $1',
    [userId],
  );
  const customerId = rows[0]?.customer_id;
  const headers = { authorization: `Bearer ${account.secretKey}` };
  const answer = await fetch(`${double.apiUrl}/v1/customers/${customerId}`, { method: 'DELETE', headers });
  expect(answer.status).toBe(200);
}

it('who bought before buys and subscribes again, as a new customer there', async () => {
  const first = await subscribe('ada@example.com');
  await deleteCustomer(first.body.data.subscription.userId);
  for (let time = 0; time < 2; time += 1) {
    const again = await subscribe('ada@example.com');
    expect(again.body.data?.order.status, again.text).toBe('PAID');
  }
});

it('a renewal by a method that went with its customer is declined for good', async () => {
  const { body } = await subscribe('bob@example.com');
  const { id, userId } = body.data.subscription;
  await deleteCustomer(userId);
  // Not told of, as where its events are lost.
  await opened.app.service.db.deleteFrom('processorEvents').execute();
  await advance(opened.app, opened.app.test.scope, 32 * DAY_MS);
  const { data } = (await opened.app.test.get(`/v0/subscriptions/${id}`)).body;
  expect(data.subscription.status).toBe('past_due');
  const pending = await opened.app.service.db
    .selectFrom('charges')
    .select('id')
    .where('status', '=', 'pending')
    .execute();
  expect(pending).toEqual([]);
});
