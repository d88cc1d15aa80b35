/** Operations on a subscription, and moves of the clock, that a client sends again under their key. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../support/clock.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let planId: string;
let trialId: string;

useShop(async (made) => {
  app = made;
  planId = await makePlanOffer(app.test, { price: 1000 });
  trialId = await makePlanOffer(app.test, { price: 1000, trialInterval: 'day', trialIntervalCount: 14 });
});

type Method = 'patch' | 'post';
const CLOCK = '/v0/test-clock';
const start = (offerId = planId) => subscribe(app, offerId, { userEmail: `${randomUUID()}@example.com` });
const toPath = ({ number }: Subscribed, verb: string) => `/v0/subscriptions/${number}/${verb}`;
const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } });

async function sendTwice(method: Method, path: string, body: Record<string, unknown>) {
  const options = keyed();
  const first = await app.test[method](path, body, options);
  const second = await app.test[method](path, body, options);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.headers['idempotent-replayed']).toBe('true');
  expect(second.body).toEqual(first.body);
}

describe('a repeated request under one Idempotency-Key', () => {
  it.each([
    ['a cancellation at once, with its refund,', { refund: true }],
    ['a cancellation with the interval', { cancelOption: 'endInterval' }],
  ])('%s has one effect', async (_name, body) => {
    const subscribed = await start();
    await sendTwice('patch', toPath(subscribed, 'cancel'), body);
  });

  it('a resumption has one effect', async () => {
    const subscribed = await start();
    await app.test.patch(toPath(subscribed, 'pauseCollection'), {});
    await sendTwice('patch', toPath(subscribed, 'resume'), {});
    expect(await show(app, subscribed)).toMatchObject({ status: 'active' });
  });

  it('the end of a trial has one effect', async () => {
    await sendTwice('post', toPath(await start(trialId), 'end-trial'), {});
  });

  it('twenty cancellations at once with a refund give back once', async () => {
    const subscribed = await start();
    const options = keyed();
    const send = () => app.test.patch(toPath(subscribed, 'cancel'), { refund: true }, options);
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    for (const { status, body } of answers) {
      expect([200, 409]).toContain(status);
      if (status === 409) expect(body.error.code).toBe('request_in_progress');
    }
    const { body } = await app.test.get(`/v0/orders/${subscribed.orderId}`);
    expect(body.data.refunds).toHaveLength(1);
  });

  it('twenty changes of plan at once are one, and the others are told that it is being made', async () => {
    const subscribed = await start();
    const options = keyed();
    const body = { offerId: planId, quantity: 3, prorationBehavior: 'always_invoice' };
    const send = () => app.test.patch(toPath(subscribed, 'update'), body, options);
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    const codes = answers.map(({ body: answer }) => answer.error?.code ?? 'made');
    for (const code of codes) expect(['made', 'request_in_progress']).toContain(code);
    expect((await send()).headers['idempotent-replayed']).toBe('true');
    const { body: order } = await app.test.get(`/v0/orders/${subscribed.orderId}`);
    expect(order.data.payments).toHaveLength(2);
  });

  it('a move of the clock moves it once', async () => {
    const before = (await app.test.get(CLOCK)).body.data.testClock.offsetMs;
    await sendTwice('post', `${CLOCK}/advance`, { by: { days: 3 } });
    const after = (await app.test.get(CLOCK)).body.data.testClock.offsetMs;
    expect(Math.round((after - before) / DAY_MS)).toBe(3);
  });

  it('a reset empties the store once', async () => {
    const options = keyed();
    await app.other.post(`${CLOCK}/reset`, { confirm: true }, options);
    await makePlanOffer(app.other, { price: 1000 });
    await app.other.post(`${CLOCK}/reset`, { confirm: true }, options);
    expect((await app.other.get('/v0/offers/list')).body.data.count).toBe(1);
  });
});
