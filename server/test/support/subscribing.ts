/** Subscriptions of tests: sold through the buyer's own checkout, then watched over the API and in the rows. */
import { inScope } from '../../src/db/scope.ts';
import { buy, listTold } from './buying.ts';
import type { TestApp } from './harness.ts';

export interface Subscribed {
  /** The number, which is its id in the API. */
  number: string;
  /** The row's id. */
  id: string;
  orderId: string;
  userId: string;
}

/** Buys a subscription with a sandbox card. */
export async function subscribe(
  { service, test }: TestApp,
  offerId: string,
  body: Record<string, unknown> = {},
): Promise<Subscribed> {
  const { body: answer } = await buy(test, { offersIds: [offerId], ...body });
  const number = answer.data.subscription.id as string;
  const row = await service.db
    .selectFrom('subscriptions')
    .select(['id', 'orderId', 'userId'])
    .where(inScope(test.scope))
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  return { number, ...row };
}

export async function show({ test }: TestApp, { number }: Subscribed) {
  const answer = await test.get(`/v0/subscriptions/${number}`);
  return answer.body.data.subscription;
}

/** Its period payments in the order of their periods. */
export async function listPeriods({ service, test }: TestApp, { id }: Subscribed) {
  return service.db
    .selectFrom('payments')
    .select(['id', 'number', 'status', 'value', 'periodStart', 'periodEnd', 'createdAt', 'paidAt'])
    .where(inScope(test.scope))
    .where('subscriptionId', '=', id)
    .where('type', '=', 'subscription_interval')
    .orderBy('periodStart')
    .execute();
}

/** Types of all events so far, each with the subscription's status in it. */
export async function listSteps(app: TestApp, { orderId }: Subscribed): Promise<string[]> {
  const told = await listTold(app, orderId);
  return told.map(({ type, body }) => {
    const { subscription } = body.data as { subscription: { status: string } };
    return `${type} ${subscription.status}`;
  });
}

/** A moment that no test's clock reaches. */
const NEVER_MS = Date.UTC(9000, 0);

/** Lets every subscription rest where it is, so that a test's clock moves its own alone. */
export async function putToRest({ service }: TestApp): Promise<void> {
  await service.db
    .updateTable('dueWork')
    .set({ dueMs: NEVER_MS, dueRealMs: NEVER_MS })
    .where('kind', '=', 'advance_subscription')
    .execute();
}
