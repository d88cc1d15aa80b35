/** Charges that the processor does not answer for, or has not seen: none is taken and forgotten, none taken twice. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { authenticate, buy, listTaken, openPage } from '../support/buying.ts';
import { AUTHENTICATES } from '../support/cards.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { loseNextAnswer, loseNextCancel, loseNextCharge, withFault } from '../support/faulty-processor.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

/** How long a processor is waited for here; a call that hangs is given up after it. */
const TIMEOUT_MS = 1_000;
/** Purchases that are made side by side. */
const BATCH = 8;

let app: TestApp;
let offerId: string;
let restore: () => void = () => {};

beforeAll(async () => {
  app = await createTestApp({ PROCESSOR_TIMEOUT_MS: String(TIMEOUT_MS) });
  offerId = await makeOffer(app.test);
});
afterEach(async () => {
  restore();
  restore = () => {};
  await expectInvariants(app);
});
afterAll(() => app.close());

const pass = (ms: number) => advance(app, app.test.scope, ms);
const orderOf = async (id: string) => (await app.test.get(`/v0/orders/${id}`)).body.data;
const chargeOf = async (id: string) => (await orderOf(id)).payments[0].charges[0];

interface Bought {
  orderId: string;
  paymentId: string;
  status: string;
}

async function buyMany(count: number, fields: Record<string, unknown> = {}): Promise<Bought[]> {
  const made: Bought[] = [];
  for (let begun = 0; begun < count; begun += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - begun) }, (_, index) =>
      buy(app.test, { offersIds: [offerId], userEmail: `buyer-${begun + index}@example.com`, ...fields }),
    );
    for (const { status, body } of await Promise.all(batch)) {
      expect(status).toBe(200);
      const { order, payment } = body.data;
      made.push({ orderId: order.id, paymentId: payment.id, status: order.status });
    }
  }
  return made;
}

/** How often the processor has taken money for each of these orders, beside what became of it here. */
async function listEnds(bought: Bought[]): Promise<Array<{ status: string; taken: number }>> {
  const { rows } = await app.service.pool.query<{ status: string; taken: number }>(
    `select p.status, count(s.id) filter (where s.status = 'succeeded')::int as taken
     from payments p join charges c on c.payment_id = p.id left join sandbox_charges s on s.id = c.id
     where p.id = any($1) group by p.id, p.status`,
    [bought.map(({ paymentId }) => paymentId)],
  );
  return rows;
}

const countBy = (ends: Array<{ status: string; taken: number }>) =>
  Object.fromEntries(
    ['PAID 1', 'FAILED 0'].map((end) => [
      end,
      ends.filter(({ status, taken }) => `${status} ${taken}` === end).length,
    ]),
  );

describe('T51 charges that reach the processor 10 s to 1 h after the first look', () => {
  it('are taken and paid or cancelled there, never taken and forgotten, never taken twice', async () => {
    const calls = new Map<string, () => Promise<unknown>>();
    const cancels = new Map<string, number>();
    const release = [
      withFault(app, 'charge', (call, chargeId) => {
        calls.set(chargeId, call);
        return Promise.reject(new Error('the call is still on its way'));
      }),
      // Every second charge cannot be called off for a while, and may be taken meanwhile.
      withFault(app, 'cancel', (call, chargeId) => {
        const place = [...calls.keys()].indexOf(chargeId);
        const tries = (cancels.get(chargeId) ?? 0) + 1;
        cancels.set(chargeId, tries);
        return place % 2 === 0 && tries <= 1 + (place % 6) ? Promise.reject(new Error('lost')) : call();
      }),
    ];
    restore = () => {
      for (const end of release) end();
    };
    const bought = await buyMany(200);
    expect(bought.every(({ status }) => status === 'PENDING')).toBe(true);
    expect(calls.size).toBe(200);
    await pass(10_000);
    // Five moments between 10 s and an hour after the first look.
    const waiting = [...calls.values()];
    for (let moment = 0; moment < 5; moment += 1) {
      await pass(moment === 0 ? 10_000 : 14 * MINUTE_MS);
      await Promise.all(waiting.splice(0, 40).map((call) => call()));
    }
    await pass(2 * 60 * MINUTE_MS);
    const ends = await listEnds(bought);
    const { 'PAID 1': paid, 'FAILED 0': failed } = countBy(ends);
    expect({ all: ends.length, ended: (paid ?? 0) + (failed ?? 0) }).toEqual({ all: 200, ended: 200 });
    // Both ends were met.
    expect(paid).toBeGreaterThan(10);
    expect(failed).toBeGreaterThan(100);
    // What is FAILED cannot be taken any more, however late the call still comes.
    await Promise.all([...calls.values()].map((call) => call()));
    expect(await listEnds(bought)).toEqual(expect.arrayContaining(ends));
  }, 600_000);

  it('with a stored method are made again by the first look, once', async () => {
    const planId = await makePlanOffer(app.test, { price: 1000 });
    const { body } = await buy(app.test, { offersIds: [planId] });
    loseNextCharge(app);
    const made = await app.test.post('/v0/subscriptions/create', {
      userId: body.data.order.userId,
      offerId: planId,
    });
    expect(made.body.data.payment.status).toBe('PENDING');
    await pass(10_000);
    const { payments } = await orderOf(made.body.data.order.id);
    expect(payments).toMatchObject([{ status: 'PAID', charges: [{ status: 'succeeded' }] }]);
  });
});

it('T03 of 100 charges whose every tenth answer is lost all are paid, and taken once', async () => {
  let count = 0;
  restore = withFault(app, 'charge', async (call) => {
    count += 1;
    const isLost = count % 10 === 0;
    const outcome = await call();
    if (isLost) throw new Error('the answer was lost');
    return outcome;
  });
  const bought = await buyMany(100);
  expect(bought.filter(({ status }) => status === 'PENDING')).toHaveLength(10);
  restore();
  await pass(10_000);
  expect(countBy(await listEnds(bought))).toEqual({ 'PAID 1': 100, 'FAILED 0': 0 });
}, 120_000);

it('T04 an ill processor loses and doubles nothing, and every answer comes in time with the object PENDING', async () => {
  let count = 0;
  const stalled: Array<() => Promise<unknown>> = [];
  restore = withFault(app, 'charge', async (call) => {
    count += 1;
    switch (count % 10) {
      case 0:
        throw new Error('HTTP 500');
      case 1:
        await call();
        throw new Error('ECONNRESET');
      case 2:
        await call();
        throw new SyntaxError('Unexpected end of JSON input');
      case 3:
        stalled.push(call);
        return new Promise(() => {});
      default:
        return call();
    }
  });
  const bought = await buyMany(100);
  expect(bought.filter(({ status }) => status === 'PENDING')).toHaveLength(40);
  expect(bought.filter(({ status }) => status === 'PAID')).toHaveLength(60);
  restore();
  // Those that hung arrive after all, at the same time as the first look.
  await Promise.all([pass(10_000), ...stalled.map((call) => call())]);
  await pass(MINUTE_MS);
  const ends = countBy(await listEnds(bought));
  expect((ends['PAID 1'] ?? 0) + (ends['FAILED 0'] ?? 0)).toBe(100);
  expect(ends['PAID 1']).toBeGreaterThanOrEqual(80);
}, 120_000);

describe('a look that has no answer', () => {
  it('is no failure to a buyer who waits', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    loseNextAnswer(app);
    expect((await page.submit()).body.data.checkout.status).toBe('processing');
    const end = withFault(app, 'lookUp', () => Promise.reject(new Error('connection reset')));
    const { status, body } = await page.confirm();
    expect({ status, checkout: body.data.checkout.status }).toEqual({ status: 200, checkout: 'processing' });
    end();
    expect((await page.confirm()).body.data.checkout.status).toBe('paid');
  });

  it('is repeated after a minute, doubling to an hour, and counts for none of the others', async () => {
    loseNextAnswer(app);
    const [bought] = await buyMany(1);
    const at: number[] = [];
    restore = withFault(app, 'lookUp', async (call) => {
      at.push((await app.test.get('/v0/test-clock')).body.data.testClock.now);
      if (at.length <= 8) throw new Error('connection reset');
      return call();
    });
    await pass(6 * 60 * MINUTE_MS);
    const { order, payments } = await orderOf(bought?.orderId ?? '');
    expect(order.status).toBe('PAID');
    expect(payments[0].charges).toHaveLength(1);
    const minutes = at.slice(1).map((ms, index) => Math.round((ms - (at[index] ?? 0)) / MINUTE_MS));
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });
});

describe('while a charge is pending or unknown', () => {
  it('nothing expires and no hold lapses; what comes of it counts', async () => {
    const keysId = await makeOffer(app.test);
    await app.test.post(`/v0/offers/${keysId}/keys/add`, { productKeys: ['HELD-1'] });
    loseNextAnswer(app);
    const [bought] = await buyMany(1, { offersIds: [keysId] });
    restore = withFault(app, 'lookUp', () => Promise.reject(new Error('connection reset')));
    await pass(3 * DAY_MS);
    expect((await orderOf(bought?.orderId ?? '')).order.status).toBe('PENDING');
    const { body } = await buy(app.test, { offersIds: [keysId], userEmail: 'second@example.com' });
    expect(body.error.code).toBe('sold_out');
    restore();
    await pass(60 * MINUTE_MS);
    const { order, items } = await orderOf(bought?.orderId ?? '');
    expect(order.status).toBe('PAID');
    expect(JSON.stringify(items)).toContain('HELD-1');
  });

  it('an absent one whose cancel has no answer stays pending', async () => {
    loseNextCharge(app);
    const [bought] = await buyMany(1);
    loseNextCancel(app);
    await pass(10_000);
    expect(await chargeOf(bought?.orderId ?? '')).toMatchObject({ status: 'pending' });
    await pass(MINUTE_MS);
    expect(await chargeOf(bought?.orderId ?? '')).toMatchObject({
      status: 'failed',
      failure: { decline: 'technical', reason: 'interrupted' },
    });
    expect(await listTaken(app)).not.toContainEqual(
      expect.objectContaining({ id: (await chargeOf(bought?.orderId ?? '')).id }),
    );
  });
});

describe('a charge that waits for its buyer', () => {
  it('is looked at after 2 minutes, so that one who closed the browser has paid', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const { checkout } = (await page.submit({ card: cardOf(AUTHENTICATES) })).body.data;
    expect(checkout.status).toBe('requires_action');
    const order = (await app.test.get('/v0/orders/list', { query: { take: '1' } })).body.data.orders[0];
    const { id: chargeId } = await chargeOf(order.id);
    const { sandbox } = app.service.payments;
    const { body } = await app.test.get('/v0/test-clock');
    await sandbox.authenticate({
      scope: app.test.scope,
      chargeId,
      approve: true,
      nowMs: body.data.testClock.now,
    });
    await pass(MINUTE_MS);
    expect((await orderOf(order.id)).order.status).toBe('PENDING');
    await pass(MINUTE_MS);
    expect((await orderOf(order.id)).order.status).toBe('PAID');
  });

  it('is called off at the end of its order, and both end', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId], card: AUTHENTICATES });
    const { id: orderId } = body.data.order;
    const looks: string[] = [];
    restore = withFault(app, 'lookUp', (call, chargeId) => {
      looks.push(chargeId);
      return call();
    });
    await pass(DAY_MS + MINUTE_MS);
    expect((await orderOf(orderId)).order.status).toBe('EXPIRED');
    // After 2 and 10 minutes and an hour; the last is the cancel.
    expect(looks).toHaveLength(3);
    const { id } = await chargeOf(orderId);
    expect((await authenticate(app, `/sandbox/authenticate/${id}`, 'approve')).status).toBeLessThan(500);
    expect((await orderOf(orderId)).order.status).toBe('EXPIRED');
  });
});

function cardOf(number: string) {
  return { number, expiry: '12/35', cvc: '123', name: 'Ada Lovelace' };
}
