import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { findViolations } from '../../src/invariants/find-violations.ts';
import { type KillableService, openKillableService } from './killable-service.ts';

const ROUNDS = 5;
const BUYERS = 8;
const SETTLED_WITHIN_MS = 20_000;

let service: KillableService;
let offerId: string;

beforeAll(async () => {
  service = await openKillableService({ DATABASE_CONNECTIONS_MAX: '10' });
  const { product } = await service.post('/v0/products/create', { type: 'SoftwareKey', name: 'Rocket' });
  const priced = { productId: product.id, price: 1999, currency: 'EUR' };
  offerId = (await service.post('/v0/offers/create', priced)).offer.id;
  const productKeys = Array.from({ length: 4000 }, (_, i) => `FAULT-KEY-${i}`);
  await service.post(`/v0/offers/${offerId}/keys/add`, { productKeys });
}, 300_000);
afterAll(() => service?.close());

const buy = (key: string) =>
  service.ask('POST', '/v0/test-purchases/create', {
    body: {
      offersIds: [offerId],
      userEmail: `${key.slice(0, 2)}@example.com`,
      billingDetails: { countryCode: 'DE' },
    },
    headers: { 'idempotency-key': key },
  });

/** Every key that was sent, with the order that was acknowledged for it; null = no answer came. */
const sent = new Map<string, string | null>();

/** Buys one after the other until the service is gone. */
async function buyUntilGone(): Promise<void> {
  for (;;) {
    const key = randomUUID();
    sent.set(key, null);
    try {
      const { status, body } = await buy(key);
      expect(status).toBe(200);
      const { id, status: told } = body.data?.order ?? {};
      // Where the machine is too busy to ask the processor in time the outcome is unknown yet, and nothing is promised.
      if (told !== 'PENDING') expect(told).toBe('PAID');
      if (told === 'PAID') sent.set(key, String(id));
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

function countAcknowledged(): number {
  return [...sent.values()].filter((id) => id !== null).length;
}

/** The kill comes after so many answers, not after a time: a slow machine is killed in the middle as well. */
async function untilAcknowledged(atLeast: number): Promise<void> {
  while (countAcknowledged() < atLeast) await wait(5);
}

async function count(statement: string): Promise<number> {
  const { rows } = await service.pool.query<{ count: string }>(`select count(*) as count from ${statement}`);
  return Number(rows[0]?.count);
}

/** The watch looks at an interrupted charge after 30 seconds; here it is due at once. */
async function waitUntilSettled(): Promise<void> {
  const untilMs = performance.now() + SETTLED_WITHIN_MS;
  while ((await count(`payments where status = 'PENDING'`)) > 0) {
    if (performance.now() > untilMs) throw new Error('a payment stayed PENDING');
    await service.pool.query('update due_work set due_real_ms = 0, lease_until_ms = null');
    await wait(200);
  }
}

describe('a service that is killed while it sells', () => {
  it('T27 loses nothing that it acknowledged, charges nobody twice, and leaves nothing pending', {
    timeout: 240_000,
  }, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const buyers = Promise.all(Array.from({ length: BUYERS }, buyUntilGone));
      await untilAcknowledged(countAcknowledged() + BUYERS + 3 * round);
      await Promise.all([service.kill(), buyers]);
      await service.start();
    }
    const acknowledged = [...sent.values()].filter((id) => id !== null);
    const interrupted = [...sent].filter(([, id]) => id === null).map(([key]) => key);
    expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * BUYERS);
    expect(interrupted.length).toBeGreaterThanOrEqual(ROUNDS);
    // The lease of a dead request ends after a minute; nobody has to wait for it here.
    await service.pool.query('update idempotency_keys set lease_until = 0 where response is null');
    const replayed = await Promise.all(interrupted.map(buy));
    expect(new Set(replayed.map(({ status }) => status))).toEqual(new Set([200]));
    await waitUntilSettled();

    const { rows } = await service.pool.query<{ id: string }>(`select id from orders where status = 'PAID'`);
    const paid = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !paid.has(id))).toEqual([]);
    expect(await count('orders')).toBe(sent.size);
    await expectSoundBooks();
  });
});

/** All that must always hold, and what holds here, where every sale is of one offer and ended. */
async function expectSoundBooks(): Promise<void> {
  const limits = { maxConnections: 1, acquireTimeoutMs: 5_000, statementTimeoutMs: 60_000 };
  const { db, close } = openDatabase({ ...service.database.poolConfig, ...limits });
  expect(await findViolations(db).finally(close)).toEqual([]);
  const faults: Record<string, string> = {
    // A failed one that is looked at again before its time, as above, has expired.
    'a status that is not final': `payments where status not in ('PAID', 'FAILED', 'EXPIRED')`,
    'a paid item without its key': `order_items i join orders o on o.id = i.order_id where o.status = 'PAID' and
      (select count(*) from offer_keys k where k.order_item_id = i.id and k.status = 'sold') <> i.quantity`,
    'an offer that holds what nobody buys any more': `offers where held_count <> 0`,
  };
  for (const [fault, query] of Object.entries(faults)) {
    expect({ fault, rows: await count(query) }).toEqual({ fault, rows: 0 });
  }
}
