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
const webhookOf = async (id: string) => (await t.test.get(`/v0/webhooks/${id}`)).body.data.webhook;

function first(): ReceivedRequest {
  const [request] = receiver.requests;
  if (!request) throw new Error('nothing was received');
  return request;
}

describe('T28 in a rotation', () => {
  const old = 'the secret of yesterday';
  const rotate = async (leftMs = 60_000) => {
    const { id, secret } = await subscribe();
    const rotation = { previousSecret: old, previousSecretUntil: Date.now() + leftMs };
    await t.service.db.updateTable('webhooks').set(rotation).where('id', '=', id).execute();
    return { id, secret };
  };

  it('signs with both for the standard, and for ours with the new secret on even tries and the old one on odd ones', async () => {
    const { secret } = await rotate();
    receiver.script({ status: 500 }, { status: 500 });
    await pay();
    for (const _ of [0, 1, 2]) {
      await work();
      await makeDue();
    }
    for (const [at, request] of receiver.requests.entries()) {
      expect([secret, old].map((one) => verifyStandard(request, one))).toEqual([true, true]);
      expect([secret, old].map((one) => verifySignature(request, one))).toEqual([at !== 1, at === 1]);
    }
    expect(receiver.requests).toHaveLength(3);
  });

  it('signs with the new secret alone once it has ended', async () => {
    const { secret } = await rotate(-1);
    await pay();
    await work();
    for (const verify of [verifySignature, verifyStandard]) {
      expect(verify(first(), secret)).toBe(true);
      expect(verify(first(), old)).toBe(false);
    }
  });

  it('a failed first try begins no streak, a failed second one does', async () => {
    const { id } = await rotate();
    receiver.script({ status: 401 }, { status: 401 });
    await pay();
    await work();
    const streak = () =>
      t.service.db
        .selectFrom('webhooks')
        .select(['streakStartedAt', 'streakFailures', 'lastFailureAt'])
        .executeTakeFirstOrThrow();
    expect(await streak()).toMatchObject({ streakStartedAt: null, streakFailures: 0 });
    expect((await streak()).lastFailureAt).not.toBeNull();
    await makeDue();
    await work();
    expect(await streak()).toMatchObject({ streakStartedAt: expect.any(Number), streakFailures: 1 });
    expect(await webhookOf(id)).toMatchObject({ status: 'active' });
  });

  it('410 counts from the second try on', async () => {
    const { id } = await rotate();
    receiver.script({ status: 410 }, { status: 410 });
    await pay();
    await work();
    expect(await webhookOf(id)).toMatchObject({ status: 'active', health: 'ok' });
    expect(await delivery()).toMatchObject({ status: 'waiting' });
    await makeDue();
    await work();
    expect(await webhookOf(id)).toMatchObject({ status: 'inactive', health: 'disabled' });
  });

  it('a receiver that knows only one of the secrets gets everything and is not disabled', async () => {
    const { id, secret } = await rotate();
    for (const known of [secret, old]) {
      receiver.reset();
      for (let event = 0; event < 12; event += 1) await pay();
      for (const at of [0, 1]) {
        // Answers as a receiver that compares the whole header.
        const isRight = (at === 0) === (known === secret);
        receiver.script(...Array.from({ length: 12 }, () => ({ status: isRight ? 200 : 401 })));
        await work();
        await makeDue();
      }
      expect(await dueRows()).toEqual([]);
    }
    const rows = await t.service.db.selectFrom('webhookDeliveries').select('status').execute();
    expect(rows.every(({ status }) => status === 'delivered')).toBe(true);
    expect(await webhookOf(id)).toMatchObject({ status: 'active', health: 'ok' });
  });
});
