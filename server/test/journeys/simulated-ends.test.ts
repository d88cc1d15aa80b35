/** A subscription ends while its buyer is still to authenticate: nothing is taken for it any more. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { authenticateCharge, listTold } from '../support/buying.ts';
import { AUTHENTICATES, DISPUTED } from '../support/cards.ts';
import { createPlanOperations } from '../support/changing-plans.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { type Subscribed, show, subscribe } from '../support/subscribing.ts';

const HOUR_MS = 60 * MINUTE_MS;

let app: TestApp;
let plans: ReturnType<typeof createPlanOperations>;
let silverId: string;
let goldId: string;

beforeAll(async () => {
  app = await createTestApp();
  plans = createPlanOperations(app);
  silverId = await makePlanOffer(app.test, { price: 1000, name: 'Silver' });
  goldId = await makePlanOffer(app.test, { price: 3000, name: 'Gold' });
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

const wait = (ms: number) => advance(app, app.test.scope, ms);
const verb = ({ number }: Subscribed, name: string, body = {}) =>
  app.test.patch(`/v0/subscriptions/${number}/${name}`, body);
const start = (card = '4242424242424242') =>
  subscribe(app, silverId, { card, userEmail: `${Math.random()}@example.com` });

/** Asks for a change whose payment waits for the buyer. */
async function leaveWaiting(subscribed: Subscribed) {
  await plans.withCard(subscribed, AUTHENTICATES);
  const change = { offerId: goldId, prorationBehavior: 'always_invoice' };
  const { body } = await plans.update(subscribed, change);
  expect(body.data.payment.status).toBe('PENDING');
  return body.data.payment;
}

async function expectCalledOff(subscribed: Subscribed, waiting: { id: string; charges: [{ id: string }] }) {
  expect((await show(app, subscribed)).status).toBe('canceled');
  // The buyer answers their bank all the same.
  await authenticateCharge(app, waiting.charges[0].id, 'approve');
  await wait(DAY_MS);
  const { payment } = (await app.test.get(`/v0/payments/${waiting.id}`)).body.data;
  expect(payment).toMatchObject({ status: 'CANCELLED', invoiceNumber: null });
  expect(payment.charges).toMatchObject([{ status: 'failed', failure: { reason: 'canceled' } }]);
  const types = (await listTold(app, subscribed.orderId)).map(({ type }) => type);
  expect(types).not.toContain('payment_failed');
}

describe('a change of plan that waits for its buyer is off', () => {
  it('when its order is cancelled', async () => {
    const subscribed = await start();
    const waiting = await leaveWaiting(subscribed);
    await app.test.patch(`/v0/orders/${subscribed.orderId}/cancel`);
    await wait(MINUTE_MS);
    await expectCalledOff(subscribed, waiting);
  });

  it('when its subscription ends with the interval', async () => {
    const subscribed = await start();
    await verb(subscribed, 'update', { cancelAtIntervalEnd: true });
    const { currentIntervalEnd } = await show(app, subscribed);
    await wait(currentIntervalEnd - (await plans.now()) - HOUR_MS);
    const waiting = await leaveWaiting(subscribed);
    await wait(HOUR_MS);
    await expectCalledOff(subscribed, waiting);
  });

  it('when a dispute is lost', async () => {
    const subscribed = await start(DISPUTED);
    await wait(DAY_MS);
    await verb(subscribed, 'resume');
    await wait(6 * DAY_MS + 12 * HOUR_MS);
    const waiting = await leaveWaiting(subscribed);
    await wait(12 * HOUR_MS);
    await expectCalledOff(subscribed, waiting);
  });
});
