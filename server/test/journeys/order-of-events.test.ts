/** What changes one subscription while time goes by: what is told of it bears its moments in the order of its changes. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { followDispute } from '../../src/flows/disputes/follow-dispute.ts';
import type { ToldDispute } from '../../src/providers/payment/payment-provider.ts';
import { advance, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { stallNextCharge } from '../support/faulty-processor.ts';
import { type Answer, createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { type Subscribed, subscribe } from '../support/subscribing.ts';
import { whileLocked } from '../support/while-locked.ts';

/** How far real time has gone on. */
let passedMs = 0;
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({}, undefined, { realNowMs: () => Date.now() + passedMs });
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

/** Versions of the subscription in the order in which the list shows what was told of them, oldest first. */
async function listVersions({ orderId, id }: Subscribed): Promise<number[]> {
  const { body } = await app.test.get('/v0/events/list', { query: { orderId } });
  const shown = body.data.events.map((event: { id: string }) => event.id).reverse() as string[];
  const rows = await app.service.db
    .selectFrom('events')
    .select(['id', 'entityVersion'])
    .where('orderId', '=', orderId)
    .where('entityId', '=', id)
    .execute();
  const versions = new Map(rows.map(({ id: eventId, entityVersion }) => [eventId, entityVersion]));
  return shown.flatMap((eventId) => versions.get(eventId) ?? []);
}

/** A look at the disputes of its charge whose processor has taken five seconds to answer. */
async function lookAtDispute({ orderId }: Subscribed, stage: ToldDispute['stage']): Promise<void> {
  const { db } = app.service;
  const charge = await db
    .selectFrom('charges')
    .selectAll('charges')
    .innerJoin('payments', 'payments.id', 'charges.paymentId')
    .where('payments.orderId', '=', orderId)
    .executeTakeFirstOrThrow();
  const realMs = app.service.realNowMs();
  const { now } = (await app.test.get('/v0/test-clock')).body.data.testClock;
  const step = { ...app.service, nowMs: Number(now), nowRealMs: realMs };
  passedMs += 5_000;
  const facts = { reason: null, evidenceDueAtMs: null, processorUrl: null, evidence: null };
  const told = { processorId: `du_${charge.id}`, stage, disputed: null, ...facts };
  await inTransaction(db, (tx) => followDispute(step, app.test.scope, { tx, charge, told }));
}

const inOrder = (versions: number[]) => [...versions].sort((a, b) => a - b);

it('tells of a cancel after the pause that it waited for, though it was asked for before', async () => {
  const one = await subscribe(app, await makePlanOffer(app.test));
  const asked: Array<Promise<Answer>> = [];
  await whileLocked(app, one.number, async (waitFor) => {
    passedMs += 5_000;
    asked.push(app.test.patch(`/v0/subscriptions/${one.number}/pauseCollection`, {}));
    await waitFor(1);
    passedMs -= 5_000;
    asked.push(app.test.patch(`/v0/subscriptions/${one.number}/cancel`, {}));
    await waitFor(2);
    passedMs += 6_000;
  });
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
  const versions = await listVersions(one);
  expect(versions).toHaveLength(5);
  expect(versions).toEqual(inOrder(versions));
});

it('tells what a charge brought after what was changed while its processor was asked', async () => {
  const trial = { trialInterval: 'week', trialIntervalCount: 1 };
  const one = await subscribe(app, await makePlanOffer(app.test, trial));
  const charging = stallNextCharge(app);
  const ending = app.test.post(`/v0/subscriptions/${one.number}/end-trial`);
  await charging.begun;
  passedMs += 5_000;
  const flagged = await app.test.patch(`/v0/subscriptions/${one.number}/cancel`, {
    cancelAtIntervalEnd: true,
  });
  passedMs += 5_000;
  charging.release();
  expect([flagged.status, (await ending).status]).toEqual([200, 200]);
  const versions = await listVersions(one);
  expect(versions.at(-1)).toBeGreaterThan(2);
  expect(versions).toEqual(inOrder(versions));
});

it('tells what a dispute that was lost at once gave back behind the end that it brought', async () => {
  const one = await subscribe(app, await makePlanOffer(app.test));
  await lookAtDispute(one, 'lost');
  const { events } = (await app.test.get('/v0/events/list', { query: { orderId: one.orderId } })).body.data;
  expect(events.map(({ type }: { type: string }) => type).slice(0, 4)).toEqual([
    'payment_refunded',
    'subscription_cancelled',
    'subscription_updated',
    'subscription_updated',
  ]);
});

it('goes on once a dispute is won, however long its processor took to answer', async () => {
  const one = await subscribe(app, await makePlanOffer(app.test));
  const statusOf = async () =>
    (await app.test.get(`/v0/subscriptions/${one.number}`)).body.data.subscription.status;
  await lookAtDispute(one, 'open');
  expect(await statusOf()).toBe('paused');
  await lookAtDispute(one, 'won');
  await advance(app, app.test.scope, MINUTE_MS);
  expect(await statusOf()).toBe('active');
});
