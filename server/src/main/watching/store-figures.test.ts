import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { readStoreFigures } from './store-figures.ts';

const LATE_MS = 900_000;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

it('O43 nobody is late with what waits for a receiver that fails', async () => {
  const { workspaceId, testMode } = app.test.scope;
  const { db, pool, config } = app.service;
  const hook = { url: 'https://8.8.8.8/hook', events: ['payment_success'] };
  const { body } = await app.test.post('/v0/webhooks/create', hook);
  await pool.query(
    `insert into due_work (workspace_id, test_mode, kind, ref_id, lane, due_ms, due_real_ms)
     values ($1, $2, 'deliver_webhook', $1, $3, 1, real_now_ms() - $4::bigint)`,
    [workspaceId, testMode, body.data.webhook.id, LATE_MS],
  );
  const readDue = async () =>
    (await readStoreFigures(db, { days: config.retainDays, readBackups: async () => null })).due;
  const [healthy] = await readDue();
  expect(healthy).toMatchObject({ kind: 'deliver_webhook', count: 1 });
  expect(healthy?.oldestMs).toBeGreaterThanOrEqual(LATE_MS);
  await pool.query("update webhooks set health = 'failing'");
  expect(await readDue()).toEqual([{ kind: 'deliver_webhook', state: 'waiting', count: 1, oldestMs: 0 }]);
});
