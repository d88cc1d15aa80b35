/** Changes of plan: what they cost, when they hold, and that the preview says so to the cent. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { advance } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { putToRest, type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let silverId: string;
let goldId: string;

beforeAll(async () => {
  app = await createTestApp();
  silverId = await makePlanOffer(app.test, { price: 1000, name: 'Silver' });
  goldId = await makePlanOffer(app.test, { price: 3000, name: 'Gold' });
});
afterEach(() => putToRest(app));
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

const buyer = () => ({ userEmail: `${Math.random()}@example.com` });
const start = (offerId = silverId, body: Record<string, unknown> = {}) =>
  subscribe(app, offerId, { ...buyer(), ...body });
const update = ({ number }: Subscribed, body: Record<string, unknown>) =>
  app.test.patch(`/v0/subscriptions/${number}/update`, body);
const preview = async ({ number }: Subscribed, body: Record<string, unknown>) =>
  (await app.test.post(`/v0/subscriptions/${number}/preview-update`, body, { keys: 'public' })).body.data
    .preview;
const upcoming = async ({ number }: Subscribed) =>
  (await app.test.get(`/v0/subscriptions/${number}/upcoming-payment`)).body.data.upcomingPayment;
const renew = async (subscribed: Subscribed) => {
  const { currentIntervalEnd } = await show(app, subscribed);
  const clock = await app.test.get('/v0/test-clock');
  await advance(app, app.test.scope, currentIntervalEnd - clock.body.data.testClock.now + 1);
  return (await show(app, subscribed)).lastPayment;
};

describe('a change within the period', () => {
  for (const [moment, share] of [
    ['its start', 0],
    ['its middle', 0.5],
    ['its last millisecond', 1],
  ] as const) {
    for (const behavior of ['create_prorations', 'always_invoice', 'none'] as const) {
      it(`with ${behavior} at ${moment} costs what its preview said`, async () => {
        const subscribed = await start();
        const { currentIntervalStart: from, currentIntervalEnd: to } = await show(app, subscribed);
        const prorationDate = Math.min(Math.floor(from + (to - from) * share), to - 1);
        const body = { offerId: goldId, prorationBehavior: behavior, prorationDate };
        const shown = await preview(subscribed, body);
        const { status, body: answer } = await update(subscribed, body);
        expect(status).toBe(200);
        expect(answer.data.payment?.value ?? 0).toBe(shown.amountDue);
        expect(await upcoming(subscribed)).toEqual(shown.nextPayment);
        const paid = await renew(subscribed);
        expect(paid).toMatchObject({ status: 'PAID', value: shown.nextPayment.value });
      });
    }
  }
});
