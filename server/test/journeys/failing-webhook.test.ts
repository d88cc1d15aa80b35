import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ATTEMPT_DELAYS_MS } from '../../src/domain/webhooks/retry-schedule.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { createReceiver, type Receiver, type ScriptedAnswer } from '../support/receiver.ts';

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

const HOUR_MS = 3_600_000;
const times = (count: number, answer: ScriptedAnswer) => Array.from({ length: count }, () => answer);
const work = () => t.wired.worker.runDue();
const pass = (ms: number) => advance(t, t.test.scope, ms);

async function subscribe(url = `${receiver.url}/hook`) {
  const body = { url, events: ['payment_success'] };
  return (await t.test.post('/v0/webhooks/create', body)).body.data.webhook;
}
const send = async () => (await t.test.post('/v0/webhooks/sendTestEvent', {})).body.data.event;
const webhookOf = async (id: string) => (await t.test.get(`/v0/webhooks/${id}`)).body.data.webhook;
const attemptsOf = async (id: string) =>
  (await t.test.get(`/v0/webhooks/${id}/attempts?take=100`)).body.data.attempts.reverse();

/** Kinds of the mails to the owner, in their order. */
async function mails(): Promise<string[]> {
  const rows = await t.service.db
    .selectFrom('mails')
    .selectAll()
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  expect(new Set(rows.map(({ recipient }) => recipient)).size).toBeLessThanOrEqual(1);
  return rows.map(({ kind }) => kind);
}

describe('a webhook whose receiver fails', () => {
  it('T21 is tried again by the schedule on the workspace’s clock until it answers', async () => {
    receiver.script(...times(3, { status: 500 }));
    const { id } = await subscribe();
    await send();
    await pass(2 * HOUR_MS);
    const attempts = await attemptsOf(id);
    expect(
      attempts.map((one: { sequence: number; statusCode: number }) => [one.sequence, one.statusCode]),
    ).toEqual([
      [0, 500],
      [1, 500],
      [2, 500],
      [3, 200],
    ]);
    for (let n = 1; n < 4; n += 1) {
      const plannedMs = ATTEMPT_DELAYS_MS[n] ?? 0;
      const waitedMs = attempts[n].createdAt - attempts[n - 1].createdAt;
      expect(Math.abs(waitedMs - plannedMs)).toBeLessThanOrEqual(plannedMs * 0.2);
    }
    expect(await mails()).toEqual([]);
  });

  it('is called failing after five in a row and recovering after a 2xx, and its owner is told once each', async () => {
    receiver.script(...times(7, { status: 500 }));
    const { id } = await subscribe();
    for (let n = 0; n < 7; n += 1) {
      await send();
      await work();
      expect((await webhookOf(id)).health).toBe(n < 4 ? 'ok' : 'failing');
    }
    expect(await mails()).toEqual(['webhook_failing']);
    await send();
    await work();
    expect(await webhookOf(id)).toMatchObject({ health: 'ok', status: 'active' });
    expect(await mails()).toEqual(['webhook_failing', 'webhook_recovering']);
    const looks = t.service.db.selectFrom('dueWork').where('kind', '=', 'judge_webhook').selectAll();
    expect(await looks.execute()).toEqual([]);
  });

  it('is called blocked when its address is not public any more, with the reason in the attempt', async () => {
    const { id } = await subscribe();
    const moved = t.service.db.updateTable('webhooks').set({ url: 'http://10.0.0.1/' });
    await moved.where('id', '=', id).execute();
    for (let n = 0; n < 2; n += 1) {
      await send();
      await work();
    }
    expect(await webhookOf(id)).toMatchObject({ health: 'blocked', status: 'active' });
    expect((await attemptsOf(id))[0]).toMatchObject({
      statusCode: null,
      error: 'blocked',
      errorDetail: 'it leads to an address that is not public',
    });
    expect(await mails()).toEqual(['webhook_blocked']);
  });

  it('T29 is disabled once after five days, is left alone then, and catches up when it is switched on again', async () => {
    receiver.script(...times(60, { status: 500 }));
    const { id } = await subscribe();
    const events = [await send(), await send()];
    await pass(6 * DAY_MS);
    expect(await webhookOf(id)).toMatchObject({ status: 'inactive', health: 'disabled' });
    expect(await mails()).toEqual(['webhook_failing', 'webhook_disabled']);
    expect(receiver.requests).toHaveLength(20);

    events.push(await send());
    await pass(DAY_MS);
    expect(receiver.requests).toHaveLength(20);

    receiver.reset();
    await t.test.patch(`/v0/webhooks/${id}/update`, { status: 'active' });
    expect(await webhookOf(id)).toMatchObject({ status: 'active', health: 'ok' });
    const { data } = (await t.test.post(`/v0/webhooks/${id}/resend`, { since: events[0].createdAt })).body;
    expect(data.deliveries).toBe(3);
    await work();
    const received = receiver.requests.map(({ raw }) => JSON.parse(raw.toString()).id).sort();
    expect(received).toEqual(events.map((event) => event.id).sort());
    expect(await webhookOf(id)).toMatchObject({ status: 'active', health: 'ok' });
  });

  it('is disabled by the failure that makes it enough when fewer had come after five days, as the settings say', async () => {
    await t.test.patch('/v0/settings/update', { webhookDisableFailures: 3, webhookDisableHours: 24 });
    receiver.script({ status: 500, headers: { 'retry-after': '86400' } }, ...times(9, { status: 500 }));
    const { id } = await subscribe();
    await send();
    await pass(24 * HOUR_MS + 60_000);
    // Two tries so far: at once, and a day later as it asked.
    expect(await attemptsOf(id)).toHaveLength(2);
    expect(await webhookOf(id)).toMatchObject({ status: 'active' });
    await pass(HOUR_MS);
    expect(await webhookOf(id)).toMatchObject({ status: 'inactive', health: 'disabled' });
    expect(await attemptsOf(id)).toHaveLength(3);
    await t.test.patch('/v0/settings/update', { webhookDisableFailures: 10, webhookDisableHours: 120 });
  });

  it('is disabled at once by a 410, and its owner is told', async () => {
    receiver.script({ status: 410 });
    const { id } = await subscribe();
    await send();
    await work();
    expect(await webhookOf(id)).toMatchObject({ status: 'inactive', health: 'disabled' });
    expect(await mails()).toEqual(['webhook_disabled']);
    await pass(2 * DAY_MS);
    expect(receiver.requests).toHaveLength(1);
  });
});
