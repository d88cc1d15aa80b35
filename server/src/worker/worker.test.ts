import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { scopeColumns } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import { insertDueWork } from '../resources/due-work/due-work.queries.ts';

const DEAD = 100;
const EVENTS = 20;

/** Takes every request; answers those of `/healthy` alone. */
interface Receivers {
  server: Server;
  url: string;
  healthy: number;
  hanging: number;
  /** Of those that hang: whose sender still waits. */
  open: number;
}

let t: TestApp;
let receivers: Receivers;
beforeAll(async () => {
  t = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.url === '/healthy') {
        receivers.healthy += 1;
        response.end();
      } else {
        receivers.hanging += 1;
        receivers.open += 1;
        response.once('close', () => {
          receivers.open -= 1;
        });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  receivers = { server, url: `http://127.0.0.1:${port}`, ...{ healthy: 0, hanging: 0, open: 0 } };
});
afterAll(async () => {
  receivers.server.closeAllConnections();
  receivers.server.close();
  await t.close();
});

/** More webhooks than a store may have: the limit is the operation's. */
async function addWebhooks(paths: string[]): Promise<void> {
  const row = { ...scopeColumns(t.test.scope), status: 'active' as const, secret: 'a secret of sixteen' };
  const rows = paths.map((path) => ({
    ...row,
    id: randomUUID(),
    url: `${receivers.url}/${path}`,
    events: ['payment_success'],
    createdAt: 1,
  }));
  await t.service.db.insertInto('webhooks').values(rows).execute();
}

describe('the worker', () => {
  it('T22 serves a healthy receiver and the business while a hundred receivers hang', {
    timeout: 180_000,
  }, async () => {
    await addWebhooks(Array.from({ length: DEAD }, (_, n) => `dead-${n}`));
    await addWebhooks(['healthy']);
    for (let n = 0; n < EVENTS; n += 1) await t.test.post('/v0/webhooks/sendTestEvent', {});
    const { db } = t.service;
    const deadId = randomUUID();
    t.wired.worker.start();
    await expect.poll(() => receivers.hanging, { timeout: 180_000 }).toBeGreaterThanOrEqual(DEAD);
    const order = { kind: 'watch_order' as const, refId: deadId, dueMs: Date.now() };
    await inTransaction(db, (tx) => insertDueWork(tx, t.test.scope, [order]));
    t.wired.worker.nudge();
    await expect.poll(() => receivers.healthy, { timeout: 180_000 }).toBe(EVENTS);
    const ofOrder = db.selectFrom('dueWork').selectAll().where('refId', '=', deadId);
    await expect.poll(() => ofOrder.execute(), { timeout: 180_000 }).toEqual([]);

    // No more than its first slots for any that hangs, however many of its deliveries are due.
    expect(receivers.open).toBeLessThanOrEqual(DEAD * 4);
    receivers.server.closeAllConnections();
    const stopped = t.wired.worker.stop();
    const cut = setInterval(() => receivers.server.closeAllConnections(), 20);
    await stopped;
    clearInterval(cut);
    const leased = db.selectFrom('dueWork').selectAll().where('leaseUntilMs', 'is not', null);
    expect(await leased.execute()).toEqual([]);
  });
});
