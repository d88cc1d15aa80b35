/** Whoever changes the account that takes the money asks subscribers for their cards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import { putToRest, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let processorId: string;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, processorId, close } = await openStripeApp());
});
afterAll(async () => {
  await expectInvariants(app);
  await close?.();
});

const invite = (id = processorId) => app.test.post(`/v0/processors/${id}/invite-cards`, {});
const listInvited = () =>
  app.service.db
    .selectFrom('mails')
    .select(['recipient', 'params'])
    .where('kind', '=', 'payment_method_wanted')
    .orderBy('createdAt')
    .orderBy('recipient')
    .execute();

describe('subscribers of a processor', () => {
  it('are mailed the page of their card once a week at most, and nobody else is', async () => {
    const offerId = await makePlanOffer(app.test, {
      ...{ price: 900, currency: 'EUR', taxBehavior: 'inclusive', recurringInterval: 'year' },
    });
    const over = { processorId, paymentMethod: 'pm_card_visa', card: undefined };
    await subscribe(app, offerId, { ...over, userEmail: 'one@example.com' });
    await subscribe(app, offerId, { ...over, userEmail: 'two@example.com' });
    await subscribe(app, offerId, { userEmail: 'sandbox@example.com' });
    const ending = await subscribe(app, offerId, { ...over, userEmail: 'ending@example.com' });
    await app.test.patch(`/v0/subscriptions/${ending.number}/cancel`, { cancelOption: 'immediately' });
    expect((await invite()).body.data).toEqual({ sent: 2 });
    const mails = await listInvited();
    expect(mails.map(({ recipient }) => recipient)).toEqual(['one@example.com', 'two@example.com']);
    const [invited] = mails.map(({ params }) => params as { url: string });
    const { pathname: url } = new URL(invited?.url ?? '');
    expect((await app.app.inject({ method: 'GET', url })).statusCode).toBe(200);
    expect((await invite()).body.data).toEqual({ sent: 0 });
    await putToRest(app);
    await advance(app, app.test.scope, 6 * DAY_MS);
    expect((await invite()).body.data).toEqual({ sent: 0 });
    await advance(app, app.test.scope, 2 * DAY_MS);
    expect((await invite()).body.data).toEqual({ sent: 2 });
    expect(await listInvited()).toHaveLength(4);
  });

  it('are of a processor that there is', async () => {
    await expectRefusal(invite(crypto.randomUUID()), 404, 'not_found');
  });
});
