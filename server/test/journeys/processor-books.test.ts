/** Books before bills: what happened at Stripe while nobody heard it is read before anybody is charged unasked. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { openProvider } from '../../src/flows/payments/provider-of.ts';
import { findSilent, readDue } from '../../src/flows/processors/keep-reading.ts';
import { confirmEndpoint, openEndpoint } from '../../src/flows/processors/open-endpoint.ts';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { type StripeDouble, startStripeDouble } from '../support/stripe-double.ts';
import { sign, tell, toEvent } from '../support/telling-processor.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const EUROS = { currency: 'EUR', taxBehavior: 'inclusive' };
const MINUTE_MS = 60_000;

let double: StripeDouble;
let app: TestApp;
let realAheadMs = 0;
beforeAll(async () => {
  double = await startStripeDouble();
  // Nothing listens where it would tell.
  await double.control('POST /events', { deliver: 'never' });
  app = await createTestApp(
    { STRIPE_API_URL: double.apiUrl, SECRETS_KEY: KEY, PROCESSOR_TIMEOUT_MS: '60000' },
    undefined,
    { realNowMs: () => Date.now() + realAheadMs },
  );
});
afterEach(() => expectInvariants(app));
afterAll(async () => {
  await app?.close();
  await double?.close();
});

async function connect() {
  const account = await double.openAccount();
  const { id: accountId, secretKey, publishableKey } = account;
  const credentials = { secretKey, publishableKey };
  const { body, text } = await app.test.post('/v0/processors/connect', {
    ...{ kind: 'stripe', name: 'Cards', credentials },
  });
  expect(body?.data?.processor, text).toBeDefined();
  const processorId: string = body.data.processor.id;
  const purchase = (offerId: string, paymentMethod = 'pm_card_visa') =>
    buy(app.test, {
      ...{ offersIds: [offerId], processorId, paymentMethod },
      userEmail: `${paymentMethod}-${app.service.ids.next(Date.now())}@example.com`,
    });
  return { accountId, processorId, purchase };
}

const rowOf = (id: string) =>
  app.service.db.selectFrom('processors').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const readOf = (id: string) =>
  app.service.db
    .selectFrom('processorEvents')
    .select(['type', 'status', 'wasRead'])
    .where('connectionId', '=', id)
    .where('wasRead', '=', true)
    .execute();
const healthOf = async (id: string) =>
  (await app.test.get(`/v0/processors/${id}`)).body.data.processor.health;

/** An endpoint whose secret the test knows. */
async function openKnownEndpoint(connectionId: string) {
  const { service, test } = app;
  const secret = 'whsec_0123456789';
  const url = await inTransaction(service.db, async (tx) => {
    const ctx = { ...service, nowMs: service.realNowMs() };
    const opened = await openEndpoint(ctx, test.scope, { db: tx, connectionId });
    await confirmEndpoint(service, test.scope, { tx, id: opened.id, processorId: 'we_known', secret });
    return opened.url;
  });
  return { path: new URL(url).pathname, secret };
}

describe('nobody is charged unasked before the books are read', () => {
  it('a renewal waits as it is, and goes on once they are', async () => {
    const { processorId, accountId, purchase } = await connect();
    const planId = await makePlanOffer(app.test, { ...EUROS, price: 900 });
    const { body, text } = await purchase(planId);
    expect(body.data.subscription, text).toMatchObject({ status: 'active' });
    const { id } = await double.control('POST /faults', {
      match: { account: accountId, method: 'GET', path: '/v1/events' },
      do: { drop: 'before' },
    });
    const periods = async () => {
      const path = `/v0/payments/list?subscriptionId=${body.data.subscription.id}`;
      const { payments } = (await app.test.get(path)).body.data;
      return payments.filter(({ type }: { type: string }) => type === 'subscription_interval');
    };
    await advance(app, app.test.scope, 32 * DAY_MS);
    expect(await periods()).toEqual([]);
    const read = () =>
      app.service.db
        .selectFrom('processorBackfills')
        .selectAll()
        .where('connectionId', '=', processorId)
        .execute();
    expect(await read()).toEqual([]);

    await double.control(`DELETE /faults/${String(id)}`);
    await app.wired.books.retry();
    await app.wired.worker.runDue();
    expect((await periods()).map(({ status }: { status: string }) => status)).toEqual(['PAID']);
    const [first] = await read();
    const [charge] = await app.service.db
      .selectFrom('charges')
      .select(['sentBy', 'sentAt'])
      .where('connectionId', '=', processorId)
      .where('offSession', '=', true)
      .execute();
    expect(charge?.sentBy).toBe(app.service.processId);
    expect(first).toMatchObject({ processId: app.service.processId });
    expect(first?.endedAt).toBeLessThanOrEqual(charge?.sentAt ?? 0);
  });

  it('whoever comes behind all that sends nothing either', async () => {
    const { accountId, processorId } = await connect();
    const { id } = await double.control('POST /faults', {
      match: { account: accountId, method: 'GET', path: '/v1/events' },
      do: { status: 500 },
    });
    const { service, test } = app;
    const row = await rowOf(processorId);
    const provider = openProvider(service, test.scope, row);
    const request = { offSession: true, sendByRealMs: service.realNowMs() + MINUTE_MS };
    expect(await provider?.prepare?.(request as never)).toEqual({ kind: 'unknown', lookAgainAtMs: null });
    expect(await provider?.charge(request as never)).toEqual({ kind: 'unknown', lookAgainAtMs: null });
    await double.control(`DELETE /faults/${String(id)}`);
  });
});

describe('one that tells nothing', () => {
  it('of a charge of ten minutes ago is silent: it is read, and the owners hear of it', async () => {
    const { processorId, purchase } = await connect();
    const offerId = await makeOffer(app.test, EUROS);
    await purchase(offerId);
    expect(await findSilent(app.service)).toBe(0);
    const { db } = app.service;
    const { rows } = await app.service.pool.query(
      `update charges set sent_at = sent_at - $2::bigint, settled_at = settled_at - $2::bigint
       where connection_id = $1 returning id`,
      [processorId, 11 * MINUTE_MS],
    );
    expect(rows).toHaveLength(1);
    await db
      .updateTable('processorEndpoints')
      .set({ createdAt: 1 })
      .where('connectionId', '=', processorId)
      .execute();
    const mails = () => db.selectFrom('mails').select('id').where('kind', '=', 'processor_silent').execute();
    expect(await findSilent(app.service)).toBe(1);
    expect(await healthOf(processorId)).toMatchObject({ state: 'silent', reason: 'nothing_told' });
    expect(await mails()).toHaveLength(1);
    expect((await readOf(processorId)).length).toBeGreaterThan(0);
    expect(await findSilent(app.service)).toBe(0);

    const endpoint = await openKnownEndpoint(processorId);
    const event = toEvent('payment_intent.succeeded', { id: 'pi_1', object: 'payment_intent' });
    const body = JSON.stringify(event);
    const signature = sign(body, [endpoint.secret], Date.now() + realAheadMs);
    expect(await tell(app, endpoint, event, { body, signature })).toBe(200);
    expect(await healthOf(processorId)).toMatchObject({ state: 'ok', reason: null });
    expect(await findSilent(app.service)).toBe(0);
  });

  it('at all is read every five minutes, and every ten seconds while a charge is open', async () => {
    const { processorId, purchase } = await connect();
    const { db } = app.service;
    await db.deleteFrom('processorEndpoints').where('connectionId', '=', processorId).execute();
    const at = async (agoMs: number) => {
      await db.updateTable('processors').set({ readAt: Date.now() }).execute();
      await db
        .updateTable('processors')
        .set({ readAt: Date.now() - agoMs })
        .where('id', '=', processorId)
        .execute();
      return readDue(app.service);
    };
    expect(await at(4 * MINUTE_MS)).toBe(0);
    expect(await at(6 * MINUTE_MS)).toBe(1);
    await purchase(await makeOffer(app.test, EUROS), 'pm_card_authenticationRequired');
    expect(await at(5 * MINUTE_MS - 30_000)).toBe(1);
    expect(await at(0)).toBe(0);
  });
});

// Last: from here on the service is days ahead of the store.
describe('P35 events that nobody heard for two days', () => {
  it('are all brought by the next reading, and one that is heard meanwhile does not end it', async () => {
    const { processorId, accountId, purchase } = await connect();
    const offerId = await makeOffer(app.test, EUROS);
    const begun = (await rowOf(processorId)).readFrom;
    const sold = 40;
    for (let n = 0; n < sold; n += 1) await purchase(offerId, 'pm_card_createDispute');
    expect(await readOf(processorId)).toEqual([]);

    await double.control('POST /clock', { byMs: 2 * DAY_MS });
    realAheadMs += 2 * DAY_MS;
    const endpoint = await openKnownEndpoint(processorId);
    const object = { id: 'pi_of_nobody', object: 'payment_intent' };
    const heard = toEvent('payment_intent.succeeded', object, {
      created: Math.floor((Date.now() + realAheadMs) / 1000),
    });
    const body = JSON.stringify(heard);
    const signature = sign(body, [endpoint.secret], Date.now() + realAheadMs);
    expect(await tell(app, endpoint, heard, { body, signature })).toBe(200);
    expect((await rowOf(processorId)).readFrom).toBe(begun);

    // One page of several has no answer: it is asked for again, and not all of them.
    const lost = await double.control('POST /faults', {
      match: { account: accountId, method: 'GET', path: '/v1/events', ordinal: [2] },
      do: { status: 503 },
    });
    await app.service.books.readStore(app.test.scope);
    await double.control(`DELETE /faults/${String(lost.id)}`);
    const found = await readOf(processorId);
    const count = (type: string) => found.filter((one) => one.type === type).length;
    expect(count('payment_intent.succeeded')).toBe(sold);
    expect(count('charge.dispute.created')).toBe(sold);
    const { readFrom } = await rowOf(processorId);
    expect(readFrom).toBeGreaterThan((begun ?? 0) + 2 * DAY_MS - 10 * MINUTE_MS);

    // More than a page.
    expect(found.length).toBeGreaterThan(100);
    // The clock of the store itself has stayed where it was.
    await app.service.pool.query(
      'update due_work set due_ms = due_ms - $1::bigint, due_real_ms = due_real_ms - $1::bigint where kind = $2',
      [2 * DAY_MS, 'read_processor_event'],
    );
    await app.wired.worker.runDue();
    const disputes = await app.service.db
      .selectFrom('disputes')
      .select('chargeId')
      .where('workspaceId', '=', app.test.scope.workspaceId)
      .execute();
    expect(disputes.length).toBe(sold);
    expect((await readOf(processorId)).filter(({ status }) => status === 'waiting')).toEqual([]);
    // Read once more, nothing is new.
    await app.service.books.readStore(app.test.scope, { anew: true });
    expect((await readOf(processorId)).length).toBe(found.length);
  });
});
