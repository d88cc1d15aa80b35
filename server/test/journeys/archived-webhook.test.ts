import { afterAll, beforeAll, expect, it } from 'vitest';
import { findViolations } from '../../src/invariants/find-violations.ts';
import { buy } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';

let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  receiver = await createReceiver();
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

it('hears nothing of what happens while it is archived, and all that comes after', async () => {
  const { body, text } = await app.test.post('/v0/webhooks/create', {
    ...{ url: `${receiver.url}/hook`, events: ['payment_success'] },
  });
  expect(body.data?.webhook, text).toBeDefined();
  const { id } = body.data.webhook;
  // It has been there for an hour.
  await app.service.pool.query('update webhooks set created_at = created_at - 3600000 where id = $1', [id]);
  const offersIds = [await makeOffer(app.test)];
  const countDeliveries = async () => {
    const { rows } = await app.service.pool.query('select count(*)::int as count from webhook_deliveries');
    return rows[0].count;
  };
  expect((await app.test.patch(`/v0/webhooks/${id}/archive`)).status).toBe(200);
  await buy(app.test, { offersIds, userEmail: 'early@example.com' });
  expect(await countDeliveries()).toBe(0);
  expect((await app.test.patch(`/v0/webhooks/${id}/unarchive`)).status).toBe(200);
  await buy(app.test, { offersIds, userEmail: 'late@example.com' });
  expect(await countDeliveries()).toBe(1);
  // What was missed is not asked for.
  await expectInvariants(app);
});

it('invariant 33 tells what was sent although it was archived from what was read of an earlier version', async () => {
  const { pool, db } = app.service;
  const { body } = await app.test.post('/v0/webhooks/create', {
    ...{ url: `${receiver.url}/archived`, events: ['payment_success'] },
  });
  const { id } = body.data.webhook;
  await buy(app.test, { offersIds: [await makeOffer(app.test)], userEmail: 'read@example.com' });
  const listAttempts = async () =>
    (await pool.query('select id from webhook_attempts where webhook_id = $1', [id])).rows;
  await app.wired.worker.runDue();
  expect(await listAttempts()).toHaveLength(1);
  const findBroken = () => findViolations(db, { only: [33] });
  // Archived between the reading and the sending of it.
  expect((await app.test.patch(`/v0/webhooks/${id}/archive`)).status).toBe(200);
  await pool.query('update webhooks set deleted_at = 1 where id = $1', [id]);
  expect(await findBroken()).toEqual([]);
  const [attempt] = await listAttempts();
  await pool.query(
    'update webhook_attempts set webhook_version = (select version from webhooks where id = $1) where id = $2',
    [id, attempt.id],
  );
  expect(await findBroken()).toMatchObject([{ number: 33, row: { attemptId: attempt.id } }]);
});
