/** A request that was cut behind its first commit comes again with its key, and finishes the work. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, listTaken } from '../support/buying.ts';
import { AUTHENTICATES } from '../support/cards.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { loseNextAnswer, loseNextCharge, takeOtherNext } from '../support/faulty-processor.ts';
import { type Answer, createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

const pass = (ms: number) => advance(app, app.test.scope, ms);

/** As if the process had died behind the first commit: no answer was kept, and nobody holds the key. */
async function cut(key: string): Promise<void> {
  await app.service.db
    .updateTable('idempotencyKeys')
    .set({ response: null, leaseUntil: 0 })
    .where('key', '=', key)
    .execute();
}

/** Asks, is cut, lets `meanwhile` happen, and asks again with the same key. */
async function askTwice(
  ask: (headers: Record<string, string>) => Promise<Answer>,
  meanwhile: () => Promise<void> = async () => {},
) {
  const key = randomUUID();
  const headers = { 'idempotency-key': key };
  const taken = (await listTaken(app)).length;
  const first = (await ask(headers)).body.data;
  expect(first.order.status).toBe('PENDING');
  await cut(key);
  await meanwhile();
  const answer = await ask(headers);
  expect(answer.status).toBe(200);
  expect(answer.body.data.order.id).toBe(first.order.id);
  const again = await ask(headers);
  expect(again.text).toBe(answer.text);
  return { data: answer.body.data, taken: (await listTaken(app)).length - taken };
}

const buyAgain = (fields: Record<string, unknown> = {}) => {
  const userEmail = `${randomUUID()}@example.com`;
  return (headers: Record<string, string>) =>
    buy(app.test, { offersIds: [offerId], userEmail, ...fields }, headers);
};

describe('a purchase that was cut behind its first commit', () => {
  it('before the processor was asked is charged by the same request, with the same charge', async () => {
    loseNextCharge(app);
    const { data, taken } = await askTwice(buyAgain());
    expect(data).toMatchObject({ order: { status: 'PAID' }, payment: { status: 'PAID' } });
    expect(data.payment.charges).toMatchObject([{ status: 'succeeded' }]);
    expect(taken).toBe(1);
  });

  it('after the processor has taken the money is told of it, and nothing is taken twice', async () => {
    loseNextAnswer(app);
    const { data, taken } = await askTwice(buyAgain());
    expect(data.payment).toMatchObject({ status: 'PAID', charges: [{ status: 'succeeded' }] });
    expect(taken).toBe(1);
  });

  it('and whose charge was closed meanwhile is charged anew, on the same order', async () => {
    loseNextCharge(app);
    const { data, taken } = await askTwice(buyAgain(), () => pass(MINUTE_MS));
    expect(data.order.status).toBe('PAID');
    expect(data.payment.charges).toMatchObject([
      { status: 'failed', failure: { reason: 'interrupted' } },
      { status: 'succeeded' },
    ]);
    expect(taken).toBe(1);
  });

  it('and that was paid meanwhile is answered as it stands', async () => {
    loseNextAnswer(app);
    const { data, taken } = await askTwice(buyAgain(), () => pass(MINUTE_MS));
    expect(data.payment).toMatchObject({ status: 'PAID', charges: [{ status: 'succeeded' }] });
    expect(taken).toBe(1);
  });

  it('and whose order has ended meanwhile stays ended', async () => {
    loseNextCharge(app);
    const { data, taken } = await askTwice(buyAgain(), () => pass(2 * DAY_MS));
    expect(data.order.status).toBe('EXPIRED');
    expect(taken).toBe(0);
  });

  it('and that waits for its buyer still waits', async () => {
    const { data, taken } = await askTwice(buyAgain({ card: AUTHENTICATES }));
    expect(data.payment).toMatchObject({ status: 'PENDING', charges: [{ status: 'pending' }] });
    expect(taken).toBe(0);
  });

  it('and took other money than was asked for waits for its decision', async () => {
    takeOtherNext(app, { amountMinor: 1n });
    const { data } = await askTwice(buyAgain());
    expect(data.payment).toMatchObject({ status: 'PENDING', charges: [{ hold: 'discrepancy' }] });
    await app.test.post(`/v0/charges/${data.payment.charges[0].id}/return`, { note: 'A test.' });
  });
});

describe('a subscription by the API that was cut behind its first commit', () => {
  const create = async () => {
    const planId = await makePlanOffer(app.test, { price: 1000 });
    const userEmail = `${randomUUID()}@example.com`;
    await buy(app.test, { offersIds: [planId], userEmail });
    return (headers: Record<string, string>) =>
      app.test.post('/v0/subscriptions/create', { userEmail, offerId: planId }, { headers });
  };

  it.each([
    ['before the processor was asked', loseNextCharge],
    ['after it has taken the money', loseNextAnswer],
  ])('%s is active with one payment', async (_when, fault) => {
    const ask = await create();
    fault(app);
    const { data, taken } = await askTwice(ask);
    expect(data).toMatchObject({ order: { status: 'PAID' }, subscription: { status: 'active' } });
    expect(data.payment.charges).toMatchObject([{ status: 'succeeded' }]);
    expect(taken).toBe(1);
  });
});
