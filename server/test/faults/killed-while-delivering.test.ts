import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENTS } from '../../src/invariants/events.ts';
import { LANE_LIMITS } from '../../src/worker/lanes.ts';
import { createReceiver, type Receiver, verifySignature } from '../support/receiver.ts';
import { type KillableService, openKillableService } from './killable-service.ts';

/** The long form, by hand: `DELIVERY_KILLS=100 DELIVERY_EVENTS=1000`. */
const KILLS = Number(process.env.DELIVERY_KILLS ?? 6);
const EVENT_COUNT = Number(process.env.DELIVERY_EVENTS ?? 300);

let service: KillableService;
let receiver: Receiver;

beforeAll(async () => {
  service = await openKillableService({
    DATABASE_CONNECTIONS_MAX: '10',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  });
  receiver = await createReceiver();
}, 300_000);

afterAll(async () => {
  await receiver?.close();
  await service?.close();
});

/** Makes events until so many were acknowledged; one whose answer was lost may exist or not. */
async function makeEvents(acknowledged: Set<string>): Promise<void> {
  while (acknowledged.size < EVENT_COUNT) {
    try {
      const { event } = await service.post('/v0/webhooks/sendTestEvent', {});
      acknowledged.add(event.id);
    } catch {
      await wait(50);
    }
  }
}

async function select<T extends object>(text: string): Promise<T[]> {
  return (await service.pool.query<T>(text)).rows;
}

/** The lease of a dead process ends after a minute, and a cut attempt is tried again later: here it is now. */
const hasten = () =>
  service.pool.query(
    `update due_work set due_real_ms = 0, lease_until_ms = null where kind = 'deliver_webhook'`,
  );

describe('a worker that is killed while it delivers', () => {
  it('T26 sends every event that exists at least once, and none more often than it was interrupted', {
    timeout: 900_000,
  }, async () => {
    const url = `${receiver.url}/hook`;
    const { webhook } = await service.post('/v0/webhooks/create', { url, events: ['payment_success'] });
    const acknowledged = new Set<string>();
    const making = makeEvents(acknowledged);
    for (let kill = 0; kill < KILLS; kill += 1) {
      // After so many receipts, not after a time: a slow machine is killed in the middle as well.
      await receiver.waitFor(Math.floor(((kill + 1) * EVENT_COUNT) / (KILLS + 2)));
      await service.kill();
      await hasten();
      await service.start();
    }
    await making;
    await expect
      .poll(() => select(`select 1 from webhook_deliveries where status = 'waiting'`), {
        timeout: 180_000,
        interval: 200,
      })
      .toEqual([]);

    const events = await select<{ id: string; body: string }>('select id, body from events');
    const bodies = new Map(events.map(({ id, body }) => [id, body]));
    expect([...acknowledged].filter((id) => !bodies.has(id))).toEqual([]);
    const received = new Map<string, number>();
    for (const request of receiver.requests) {
      const id = String(request.headers['webhook-id']);
      received.set(id, (received.get(id) ?? 0) + 1);
      // The same bytes each time, and with them the same id and idempotencyKey.
      expect(request.raw.toString()).toBe(bodies.get(id));
      expect(verifySignature(request, webhook.secret)).toBe(true);
    }
    expect(received.size).toBe(events.length);
    expect(receiver.requests.length - events.length).toBeLessThanOrEqual(KILLS * LANE_LIMITS.roomMax);
    // An event exists with its delivery or not at all: both are one transaction with the change.
    expect(
      await select(`select e.id from events e where (select count(*) from webhook_deliveries d
      where d.event_id = e.id) <> 1`),
    ).toEqual([]);
    for (const { number, name, sql } of EVENTS.filter((one) => one.number === 24 || one.number === 25)) {
      expect({ number, name, rows: await select(sql) }).toEqual({ number, name, rows: [] });
    }
  });
});
