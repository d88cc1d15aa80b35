/** What a sale costs the store: how much is sent to it, and in how many writes of a socket. */
import { Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { STORE_FORM } from '../support/database.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { type StripeDouble, startStripeDouble } from '../support/stripe-double.ts';

/** Apart, there is a statement for each table: more of them, and hardly more writes. */
const LIMITS =
  STORE_FORM === 'spread'
    ? {
        purchase: { statements: 39, writes: 10 },
        overStripe: { statements: 41, writes: 11 },
        refund: { statements: 40, writes: 14 },
      }
    : {
        purchase: { statements: 32, writes: 10 },
        overStripe: { statements: 33, writes: 11 },
        refund: { statements: 32, writes: 11 },
      };

const sent = { statements: 0, writes: 0 };
const sockets = new WeakSet<object>();

// Every connection of the process, however it came to be: those that are there were made with these.
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function count(this: pg.Client, ...given: unknown[]) {
  // pg's typing does not show its socket.
  sockets.add((this as unknown as { connection: { stream: Socket } }).connection.stream);
  sent.statements += 1;
  return query.apply(this, given);
} as unknown as typeof pg.Client.prototype.query;
for (const method of ['_write', '_writev'] as const) {
  const write = Socket.prototype[method] as (...given: unknown[]) => void;
  Socket.prototype[method] = function count(this: Socket, ...given: unknown[]) {
    if (sockets.has(this)) sent.writes += 1;
    write.apply(this, given);
  };
}

let app: TestApp;
let double: StripeDouble;
let offerId: string;
beforeAll(async () => {
  double = await startStripeDouble();
  const sealing = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  app = await createTestApp({ STRIPE_API_URL: double.apiUrl, PROCESSOR_RATE: '0', ...sealing });
  offerId = await makeOffer(app.test);
});
afterAll(async () => {
  await app?.close();
  await double?.close();
});

async function measure(work: () => Promise<{ status: number }>) {
  Object.assign(sent, { statements: 0, writes: 0 });
  const { status } = await work();
  expect(status).toBe(200);
  return { ...sent };
}

/** The least of three: what the process writes down now and then may fall into one of them. */
async function measureLeast(work: () => Promise<{ status: number }>) {
  const all = [await measure(work), await measure(work), await measure(work)];
  return {
    statements: Math.min(...all.map(({ statements }) => statements)),
    writes: Math.min(...all.map(({ writes }) => writes)),
  };
}

const purchase = (userEmail: string) => buy(app.test, { offersIds: [offerId], userEmail });

it('O45 sends of a purchase no more than it did, in as few writes', async () => {
  await purchase('first@example.com');
  const { statements, writes } = await measureLeast(() => purchase('second@example.com'));
  expect(statements).toBeLessThanOrEqual(LIMITS.purchase.statements);
  expect(writes).toBeLessThanOrEqual(LIMITS.purchase.writes);
});

it('sends of a purchase over Stripe what one over the sandbox has, and the write that names what is there', async () => {
  const { secretKey, publishableKey } = await double.openAccount();
  const credentials = { secretKey, publishableKey };
  const connect = { kind: 'stripe', name: 'Cards', credentials };
  const { body } = await app.test.post('/v0/processors/connect', connect);
  // What it tells of them is work of its own.
  await double.control('POST /events', { deliver: 'never' });
  const over = {
    processorId: body.data.processor.id,
    paymentMethod: 'pm_card_visa',
    userEmail: 'over@example.com',
  };
  const sell = () => buy(app.test, { offersIds: [offerId], ...over });
  await sell();
  const measured = await measureLeast(sell);
  expect(measured.statements).toBeLessThanOrEqual(LIMITS.overStripe.statements);
  expect(measured.writes).toBeLessThanOrEqual(LIMITS.overStripe.writes);
});

it('O45 sends of a refund no more than it did, in as few writes', async () => {
  const { body } = await purchase('third@example.com');
  const path = `/v0/orders/${body.data.order.id}/refunds`;
  const refund = () => app.test.post(path, { amount: 1, reason: 'other' });
  await refund();
  const { statements, writes } = await measureLeast(refund);
  // One of them closes the withdrawal that may wait for this very refund.
  expect(statements).toBeLessThanOrEqual(LIMITS.refund.statements);
  expect(writes).toBeLessThanOrEqual(LIMITS.refund.writes);
});

it('reads a payment with what it paid for in one write', async () => {
  const { body } = await purchase('fourth@example.com');
  const path = `/v0/payments/${body.data.payment.id}`;
  await app.test.get(path);
  expect(await measure(() => app.test.get(path))).toEqual({ statements: 2, writes: 1 });
});
