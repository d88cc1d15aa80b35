import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import {
  createReceiver,
  type Receiver,
  verifySignature,
  verifyStandard,
} from '../../test/support/receiver.ts';
import { EVENT_TYPES } from '../resources/events/event-types.ts';

let t: TestApp;
let receiver: Receiver;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
beforeAll(async () => {
  t = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  receiver = await createReceiver();
  ajv.addSchema(JSON.parse(JSON.stringify(t.app.swagger())) as object, 'api.json');
});
afterAll(async () => {
  await receiver.close();
  await t.close();
});
afterEach(async () => {
  receiver.reset();
  for (const table of ['webhookDeliveries', 'webhooks', 'events', 'dueWork'] as const) {
    await t.service.db.deleteFrom(table).execute();
  }
});

const DAY_MS = 86_400_000;
const work = () => t.wired.worker.runDue();

async function subscribe(body: object = {}, store: TestStore = t.test) {
  const answer = await store.post('/v0/webhooks/create', {
    url: `${receiver.url}/hook`,
    events: [...EVENT_TYPES],
    ...body,
  });
  expect(answer.status).toBe(200);
  return answer.body.data.webhook;
}

const send = (body: object = {}, store: TestStore = t.test) => store.post('/v0/webhooks/sendTestEvent', body);
const received = () => receiver.requests.map(({ raw }) => JSON.parse(raw.toString()));

describe('POST /v0/webhooks/sendTestEvent', () => {
  it.each(EVENT_TYPES)('200: sends a sample of %s that is whole by our own description', async (type) => {
    await subscribe();
    const { event, webhooks } = (await send({ type })).body.data;
    await work();
    expect(webhooks).toBe(1);
    expect(received()).toEqual([event]);
    expect(event).toMatchObject({ object: 'event', type, testMode: true });
    const { paymentData: _none, ...wanted } = propertiesOf('User');
    const { order, payment, items, customer, user, subscription, lastPayment } = event.data;
    for (const [name, value] of [
      ['Order', order],
      ['Payment', payment],
      ...(type.startsWith('subscription_') ? [] : [['Item', items[0]] as const]),
      ...(type === 'payment_refunded' ? [['Refund', event.data.refund] as const] : []),
    ] as const) {
      if (name === 'Payment') delete value.refundAmount;
      const validate = ajv.getSchema(`api.json#/components/schemas/${name}`);
      expect(validate?.(value), ajv.errorsText(validate?.errors)).toBe(true);
    }
    expect(Object.keys(user).sort()).toEqual(Object.keys(wanted).sort());
    expect(customer).toEqual(user);
    const isOfSubscription = type.startsWith('subscription_');
    expect(Boolean(subscription && lastPayment)).toBe(isOfSubscription);
    if (!isOfSubscription) return;
    expect(items).toEqual(subscription.items);
    const validate = ajv.getSchema('api.json#/components/schemas/Subscription');
    expect(validate?.(subscription), ajv.errorsText(validate?.errors)).toBe(true);
  });

  it('200: takes payment_success when nothing is said, eventType for type, and marks live ones as test mode', async () => {
    await subscribe({}, t.live);
    expect((await send({}, t.live)).body.data.event).toMatchObject({
      type: 'payment_success',
      testMode: true,
    });
    const answer = await send({ eventType: 'payment_failed' }, t.live);
    expect(answer.body.data.event.type).toBe('payment_failed');
  });

  it('200: goes to those that hear the type now, or to the one named', async () => {
    const first = await subscribe({ url: `${receiver.url}/first` });
    await subscribe({ url: `${receiver.url}/second` });
    const deaf = await subscribe({ url: `${receiver.url}/deaf`, events: ['payment_failed'] });
    await subscribe({ url: `${receiver.url}/off`, status: 'inactive' });
    expect((await send()).body.data.webhooks).toBe(2);
    expect((await send({ webhookId: first.id })).body.data.webhooks).toBe(1);
    expect((await send({ webhookId: deaf.id })).body.data.webhooks).toBe(0);
    await work();
    expect(receiver.requests.map(({ path }) => path).sort()).toEqual(['/first', '/first', '/second']);
  });

  it('writes to no buyer', async () => {
    await send({ type: 'payment_refunded' });
    expect(await t.service.db.selectFrom('mails').selectAll().execute()).toEqual([]);
  });

  it('400, 401 and 409', async () => {
    await expectRefusal(send({ type: 'payment_maybe' }), 400, 'invalid_input');
    await expectRefusal(send({ type: 'payment_failed', eventType: 'payment_success' }), 400, 'invalid_input');
    expect((await t.test.post('/v0/webhooks/sendTestEvent', {}, { keys: 'public' })).status).toBe(401);
    await expectRefusal(send({ webhookId: randomUUID() }), 400, 'unknown_reference');
    const { id } = await subscribe({}, t.other);
    await expectRefusal(send({ webhookId: id }), 400, 'unknown_reference');
    const archived = await subscribe();
    await t.test.patch(`/v0/webhooks/${archived.id}/archive`);
    await expectRefusal(send({ webhookId: archived.id }), 409, 'archived');
  });
});

function propertiesOf(name: string): Record<string, unknown> {
  const { schema } = ajv.getSchema(`api.json#/components/schemas/${name}`) as { schema: unknown } as {
    schema: { properties: Record<string, unknown> };
  };
  return schema.properties;
}

describe('POST /v0/webhooks/{id}/rotateSecret', () => {
  const rotate = (id: string, body: object = {}, store = t.test) =>
    store.post(`/v0/webhooks/${id}/rotateSecret`, body);

  it('200: gives a new secret, and the old one signs by turns for 24 hours of real time', async () => {
    const { id, secret: old } = await subscribe();
    const { webhook } = (await rotate(id)).body.data;
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(webhook.secret).not.toBe(old);
    await send();
    await work();
    const [request] = receiver.requests;
    if (!request) throw new Error('nothing was received');
    expect([old, webhook.secret].map((secret) => verifyStandard(request, secret))).toEqual([true, true]);
    expect([old, webhook.secret].map((secret) => verifySignature(request, secret))).toEqual([false, true]);
    const row = await t.service.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow();
    expect(Math.abs((row.previousSecretUntil ?? 0) - Date.now() - DAY_MS)).toBeLessThan(60_000);
  });

  it('200: takes a secret of the merchant’s own, and keeps no more than two alive', async () => {
    const { id, secret: first } = await subscribe();
    await rotate(id, { secret: 'second secret of ours' });
    await rotate(id, { secret: 'third secret of ours' });
    await send();
    await work();
    const [request] = receiver.requests;
    if (!request) throw new Error('nothing was received');
    const alive = [first, 'second secret of ours', 'third secret of ours'];
    expect(alive.map((secret) => verifyStandard(request, secret))).toEqual([false, true, true]);
  });

  it('keeps secrets out of the audit log, and refuses what it must', async () => {
    const { id, secret } = await subscribe();
    const rotated = (await rotate(id)).body.data.webhook.secret;
    const rows = JSON.stringify(await t.service.db.selectFrom('auditLog').selectAll().execute());
    expect(rows).not.toContain(secret);
    expect(rows).not.toContain(rotated);
    await expectRefusal(rotate(id, { secret: 'whsec_not base64 at all' }), 400, 'webhook_secret_invalid');
    expect((await t.test.post(`/v0/webhooks/${id}/rotateSecret`, {}, { keys: 'public' })).status).toBe(401);
    await expectRefusal(rotate(id, {}, t.other), 404, 'not_found');
    await t.test.patch(`/v0/webhooks/${id}/archive`);
    await expectRefusal(rotate(id), 409, 'archived');
  });
});

describe('POST /v0/events/{id}/resend', () => {
  const resend = (id: string, body: object = {}, store = t.test) =>
    store.post(`/v0/events/${id}/resend`, body);

  it('200: is a new delivery with attempts from sequence 0, byte for byte the same', async () => {
    receiver.script({ status: 500 });
    const { id } = await subscribe();
    const { event } = (await send()).body.data;
    await work();
    expect((await resend(event.id)).body.data).toEqual({ event, webhooks: 1 });
    await work();
    const [first, second] = receiver.requests;
    expect(second?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
    expect(second?.headers['x-svc-attempt']).toBe('0');
    const { attempts } = (await t.test.get(`/v0/webhooks/${id}/attempts`)).body.data;
    expect(attempts).toMatchObject([
      { sequence: 0, statusCode: 200, resendOf: attempts[1].deliveryId },
      { sequence: 0, statusCode: 500, resendOf: null },
    ]);
  });

  it('200: goes to a webhook that never heard of it when it is named', async () => {
    const { event } = (await send()).body.data;
    const { id } = await subscribe({ events: ['payment_failed'] });
    expect((await resend(event.id)).body.data.webhooks).toBe(0);
    expect((await resend(event.id, { webhookId: id })).body.data.webhooks).toBe(1);
    await work();
    expect(received()).toEqual([event]);
  });

  it('400, 401, 404 and 409', async () => {
    const { event } = (await send()).body.data;
    const { id } = await subscribe({ status: 'inactive' });
    expect((await t.test.post(`/v0/events/${event.id}/resend`, {}, { keys: 'public' })).status).toBe(401);
    await expectRefusal(resend(randomUUID()), 404, 'not_found');
    await expectRefusal(resend(event.id, {}, t.other), 404, 'not_found');
    await expectRefusal(resend(event.id, { webhookId: randomUUID() }), 400, 'unknown_reference');
    await expectRefusal(resend(event.id, { webhookId: id }), 409, 'webhook_inactive');
    await t.test.patch(`/v0/webhooks/${id}/archive`);
    await expectRefusal(resend(event.id, { webhookId: id }), 409, 'archived');
  });
});

describe('POST /v0/webhooks/{id}/resend', () => {
  const resend = (id: string, since: number, store = t.test) =>
    store.post(`/v0/webhooks/${id}/resend`, { since });

  it('200: sends all that it hears since then, also what happened while it was off, and no more', async () => {
    const early = (await send()).body.data.event;
    await t.service.db
      .updateTable('events')
      .set({ createdAt: early.createdAt - 60_000 })
      .execute();
    const missed = (await send()).body.data.event;
    await send({ type: 'payment_refunded' });
    const { id } = await subscribe({ events: ['payment_success', 'payment_failed'] });
    const heard = (await send({ type: 'payment_failed' })).body.data.event;
    await work();
    receiver.reset();
    const { data } = (await resend(id, missed.createdAt)).body;
    expect(data).toMatchObject({ webhook: { id }, deliveries: 2, nextSince: null });
    await work();
    expect(received().sort((a, b) => a.createdAt - b.createdAt)).toEqual([missed, heard]);
  });

  it('400, 404 and 409', async () => {
    const { id } = await subscribe();
    await expectRefusal(resend(id, Date.now() - 14 * DAY_MS - 60_000), 400, 'invalid_input');
    expect((await resend(id, Date.now() - 14 * DAY_MS + 60_000)).status).toBe(200);
    expect((await t.test.post(`/v0/webhooks/${id}/resend`, {})).status).toBe(400);
    await expectRefusal(resend(id, Date.now(), t.other), 404, 'not_found');
    await t.test.patch(`/v0/webhooks/${id}/update`, { status: 'inactive' });
    await expectRefusal(resend(id, Date.now()), 409, 'webhook_inactive');
    await t.test.patch(`/v0/webhooks/${id}/archive`);
    await expectRefusal(resend(id, Date.now()), 409, 'archived');
  });
});
