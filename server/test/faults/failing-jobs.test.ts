import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { insertDueWork } from '../../src/resources/due-work/due-work.queries.ts';
import { byRow } from '../../src/worker/job.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Lets the row be due, and runs what fails; answers when it is to be tried again, ms. */
async function failOnce(refId: string): Promise<number> {
  const { service } = app;
  await service.db
    .updateTable('dueWork')
    .set((eb) => ({ dueRealMs: 0, dueMs: eb('dueMs', '-', eb.ref('dueRealMs')) }))
    .where('refId', '=', refId)
    .execute();
  const job = byRow(async () => Promise.reject(new Error('the store has no connection free')));
  await createWorker({ service, jobs: { watch_payment: job } }).runDue();
  const row = await service.db
    .selectFrom('dueWork')
    .select(['dueRealMs', 'failures', 'lastError'])
    .where('refId', '=', refId)
    .executeTakeFirstOrThrow();
  expect(row.lastError).toContain('no connection free');
  return row.dueRealMs;
}

it('tries what fails again after growing delays that stay within minutes, so that no payment is open for long', async () => {
  const { service } = app;
  const refId = randomUUID();
  const work = { kind: 'watch_payment' as const, refId, dueMs: service.realNowMs() };
  await inTransaction(service.db, (tx) => insertDueWork(tx, app.test.scope, [work]));
  for (const delayMs of [1_000, 5_000, 30_000, 120_000, 120_000, 120_000]) {
    const beforeMs = service.realNowMs();
    const againMs = await failOnce(refId);
    expect(againMs).toBeGreaterThanOrEqual(beforeMs + delayMs);
    expect(againMs).toBeLessThanOrEqual(service.realNowMs() + delayMs);
  }
});
