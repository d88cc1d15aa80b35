import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import {
  createReceiver,
  type ReceivedRequest,
  type Receiver,
  verifySignature,
  verifyStandard,
} from '../../../test/support/receiver.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ATTEMPT_DELAYS_MS } from '../../domain/webhooks/retry-schedule.ts';
import { recordEvents } from '../outbox/record-event.ts';

let t: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  t = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  receiver = await createReceiver();
});
afterAll(async () => {
  await receiver.close();
  await t.close();
});
afterEach(async () => {
  receiver.reset();
  for (const table of ['webhookDeliveries', 'webhooks', 'events', 'dueWork', 'mails'] as const) {
    await t.service.db.deleteFrom(table).execute();
  }
});

const HOUR_MS = 60 * 60 * 1000;

async function subscribe(body: object = {}) {
  const answer = await t.test.post('/v0/webhooks/create', {
    url: `${receiver.url}/hook`,
    events: ['payment_success'],
    ...body,
  });
  expect(answer.status).toBe(200);
  return answer.body.data.webhook;
}

async function pay(): Promise<void> {
  const event = {
    type: 'payment_success' as const,
    ...{ entityId: randomUUID(), entityVersion: 1, orderId: null, paymentId: null, subscriptionId: null },
    createdAtMs: Date.now(),
    data: { items: [], order: { name: 'Zażółć' }, payment: {}, customer: {}, user: {} },
  };
  await inTransaction(t.service.db, (tx) => recordEvents(tx, t.test.scope, t.service.ids, [event]));
}

const work = () => t.wired.worker.runDue();
/** Moves every due row to now: the attempt is then stamped with the moment for which it was planned. */
const makeDue = () =>
  t.service.db
    .updateTable('dueWork')
    .set({ dueRealMs: sql`real_now_ms()` })
    .where('kind', '=', 'deliver_webhook')
    .execute();
const dueRows = () =>
  t.service.db.selectFrom('dueWork').selectAll().where('kind', '=', 'deliver_webhook').execute();
const delivery = () => t.service.db.selectFrom('webhookDeliveries').selectAll().executeTakeFirstOrThrow();
const attemptRows = () =>
  t.service.db.selectFrom('webhookAttempts').selectAll().orderBy('sequence').execute();
const webhookOf = async (id: string) => (await t.test.get(`/v0/webhooks/${id}`)).body.data.webhook;
const attemptsOf = async (id: string) => (await t.test.get(`/v0/webhooks/${id}/attempts`)).body.data.attempts;

function first(): ReceivedRequest {
  const [request] = receiver.requests;
  if (!request) throw new Error('nothing was received');
  return request;
}

describe('the deliverer', () => {
  it('sends the stored text byte for byte, signed for both headers', async () => {
    const { secret } = await subscribe();
    await pay();
    await work();
    const event = await t.service.db.selectFrom('events').selectAll().executeTakeFirstOrThrow();
    expect(receiver.requests).toHaveLength(1);
    expect(first()).toMatchObject({ method: 'POST', path: '/hook' });
    expect(first().raw.toString()).toBe(event.body);
    expect(first().headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Counterfoil\/\d+\.\d+\.\d+$/),
      'x-svc-event': 'payment_success',
      'x-svc-attempt': '0',
      'webhook-id': event.id,
    });
    expect(verifySignature(first(), secret)).toBe(true);
    expect(verifyStandard(first(), secret)).toBe(true);
    expect(verifySignature(first(), `${secret}x`)).toBe(false);
  });

  it('is verified with a plain secret as well', async () => {
    const { secret } = await subscribe({ secret: 'a merchant made this secret' });
    await pay();
    await work();
    expect(verifySignature(first(), secret)).toBe(true);
    expect(verifyStandard(first(), secret)).toBe(true);
  });

  it('drops what waits of a type that was unsubscribed, and not what was asked for by hand', async () => {
    const { id } = await subscribe();
    receiver.script({ status: 500 });
    await pay();
    await work();
    await t.test.patch(`/v0/webhooks/${id}/update`, { events: ['payment_failed'] });
    await makeDue();
    await work();
    expect(receiver.requests).toHaveLength(1);
    expect(await delivery()).toMatchObject({ status: 'dropped', reason: 'type_unsubscribed' });
    const { id: eventId } = await t.service.db.selectFrom('events').select('id').executeTakeFirstOrThrow();
    // Past the check of answers: the event is made up.
    const { publicKey, secretKey } = t.test.keys;
    await t.app.inject({
      method: 'POST',
      url: `/v0/events/${eventId}/resend`,
      headers: { 'x-svc-public-key': publicKey, 'x-svc-secret-key': secretKey },
      payload: { webhookId: id },
    });
    await work();
    expect(receiver.requests).toHaveLength(2);
  });

  it('is done after a 2xx, with the answer kept', async () => {
    receiver.script({ status: 201, body: '{"granted":true}' });
    const { id } = await subscribe();
    await pay();
    await work();
    expect(await attemptsOf(id)).toMatchObject([
      { sequence: 0, statusCode: 201, error: null, response: { granted: true } },
    ]);
    expect(await delivery()).toMatchObject({ status: 'delivered', attemptCount: 1 });
    expect(await dueRows()).toEqual([]);
    expect(await webhookOf(id)).toMatchObject({ lastSuccessAt: expect.any(Number), lastFailureAt: null });
  });

  it('tries again by the schedule until a 2xx, with the same body and key', async () => {
    receiver.script({ status: 500 }, { status: 302 }, 'cut', { status: 204 });
    const { id } = await subscribe();
    await pay();
    for (let n = 0; n < 4; n += 1) {
      await makeDue();
      expect(await work()).toBe(1);
    }
    const attempts = await attemptRows();
    expect(attempts.map((row) => [row.sequence, row.statusCode, row.error])).toEqual([
      [0, 500, null],
      [1, 302, null],
      [2, null, 'connection'],
      [3, 204, null],
    ]);
    for (const [n, row] of attempts.slice(1).entries()) {
      const waitedMs = row.createdAt - (attempts[n]?.createdAt ?? 0);
      const plannedMs = ATTEMPT_DELAYS_MS[n + 1] ?? 0;
      expect(Math.abs(waitedMs - plannedMs)).toBeLessThanOrEqual(plannedMs * 0.2 + 50);
    }
    expect(receiver.requests.map(({ headers }) => headers['x-svc-attempt'])).toEqual(['0', '1', '2', '3']);
    expect(new Set(receiver.requests.map(({ raw }) => raw.toString())).size).toBe(1);
    expect(await delivery()).toMatchObject({ status: 'delivered', attemptCount: 4 });
    expect(await webhookOf(id)).toMatchObject({
      lastSuccessAt: attempts[3]?.createdAt,
      lastFailureAt: attempts[2]?.createdAt,
    });
  });

  it('gives up after the tenth attempt', async () => {
    receiver.script(...Array.from({ length: 10 }, () => ({ status: 500 })));
    await subscribe();
    await pay();
    for (let n = 0; n < 10; n += 1) {
      await makeDue();
      await work();
    }
    expect(await delivery()).toMatchObject({
      status: 'failed',
      reason: 'attempts_exhausted',
      attemptCount: 10,
    });
    expect((await attemptRows()).map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await dueRows()).toEqual([]);
  });

  it.each([
    ['as long as it asks', 429, '120', 120_000],
    ['a day at most', 503, '999999', 24 * HOUR_MS],
  ])('T24 leaves a receiver alone that sends Retry-After: %s', async (_name, status, retryAfter, waitMs) => {
    receiver.script({ status, headers: { 'retry-after': retryAfter } });
    await subscribe();
    await pay();
    await work();
    const [attempt] = await attemptRows();
    const [due] = await dueRows();
    expect((due?.dueMs ?? 0) - (attempt?.createdAt ?? 0)).toBe(waitMs);
  });

  it('never tries sooner than the schedule says, whatever Retry-After asks for', async () => {
    receiver.script({ status: 503, headers: { 'retry-after': '1' } });
    await subscribe();
    await pay();
    await work();
    const [attempt] = await attemptRows();
    const [due] = await dueRows();
    expect((due?.dueMs ?? 0) - (attempt?.createdAt ?? 0)).toBeGreaterThanOrEqual(4_000);
  });

  it('T24 disables the webhook at once on a 410', async () => {
    receiver.script({ status: 410 });
    const { id } = await subscribe();
    await pay();
    await work();
    expect(await webhookOf(id)).toMatchObject({ status: 'inactive', health: 'disabled' });
    expect(await delivery()).toMatchObject({ status: 'failed', reason: 'receiver_gone' });
    expect(await dueRows()).toEqual([]);
  });

  it('blocks an address that is no longer public, says why, and sends nothing', async () => {
    const { id } = await subscribe();
    await t.service.db
      .updateTable('webhooks')
      .set({ url: 'http://169.254.169.254/latest/meta-data/' })
      .where('id', '=', id)
      .execute();
    await pay();
    await work();
    expect(await attemptsOf(id)).toMatchObject([
      { statusCode: null, error: 'blocked', response: null, responseText: null },
    ]);
    expect((await attemptRows())[0]?.errorDetail).toBe('it leads to an address that is not public');
    expect(await dueRows()).toHaveLength(1);
  });

  it('keeps the first 64 KiB of an answer, and characters that the store cannot hold as a sign', async () => {
    receiver.script({ status: 200, body: `\u0000${'x'.repeat(70_000)}` });
    const { id } = await subscribe();
    await pay();
    await work();
    const [attempt] = await attemptsOf(id);
    expect(attempt.responseText).toBe(`\uFFFD${'x'.repeat(64 * 1024 - 1)}`);
    expect((await attemptRows())[0]).toMatchObject({ responseCut: true, address: '127.0.0.1' });
  });

  it.each([
    ['inactive', 'webhook_inactive', { status: 'inactive' as const }],
    ['archived', 'webhook_archived', { deletedAt: 1 }],
  ])('drops what waits for a webhook that is %s, without an attempt', async (_name, reason, change) => {
    const { id } = await subscribe();
    await pay();
    await t.service.db.updateTable('webhooks').set(change).where('id', '=', id).execute();
    await work();
    expect(receiver.requests).toEqual([]);
    expect(await attemptRows()).toEqual([]);
    expect(await delivery()).toMatchObject({ status: 'dropped', reason });
    expect(await dueRows()).toEqual([]);
  });

  it.each([
    ['webhook', 'webhookId', 'webhook_gone'],
    ['event', 'eventId', 'event_gone'],
  ] as const)(
    'drops a delivery that names no %s any more, and keeps the reason',
    async (_, named, reason) => {
      await subscribe();
      await pay();
      await t.service.db
        .updateTable('webhookDeliveries')
        .set({ [named]: null })
        .execute();
      await work();
      expect(receiver.requests).toEqual([]);
      expect(await delivery()).toMatchObject({ status: 'dropped', reason });
      expect(await dueRows()).toEqual([]);
    },
  );

  it('records nothing once its lease is lost, so that no attempt is counted twice', async () => {
    receiver.script({ status: 500, delayMs: 150 });
    await subscribe();
    await pay();
    const running = work();
    await receiver.waitFor(1);
    await t.service.db
      .updateTable('dueWork')
      .set((eb) => ({ fence: eb('fence', '+', 1) }))
      .execute();
    await running;
    expect(await attemptRows()).toEqual([]);
    expect(await delivery()).toMatchObject({ status: 'waiting', attemptCount: 0 });
    expect(await dueRows()).toHaveLength(1);
  });

  it('goes on with others while a receiver hangs', async () => {
    receiver.script('hang');
    await subscribe();
    await pay();
    const running = work();
    await receiver.waitFor(1);
    await pay();
    const beside = work();
    await expect.poll(attemptRows).toMatchObject([{ statusCode: 200 }]);
    // Its connection is cut, which ends the first attempt.
    receiver.reset();
    await Promise.all([running, beside]);
    expect((await attemptRows()).map(({ statusCode }) => statusCode).sort()).toEqual([200, null]);
  });
});
