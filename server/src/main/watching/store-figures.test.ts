import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { holdUpkeep } from '../../db/upkeep-lease.ts';
import { noteProcess } from '../../resources/installation/processes.queries.ts';
import { readStoreFigures } from './store-figures.ts';

const LATE_MS = 900_000;
const MISSED_MS = 11_000;

let app: TestApp;
beforeAll(async () => {
  // As over a PostgreSQL that others may be over, too.
  app = await createTestApp({
    METRICS_TOKEN: 'a token of the operator',
    DATABASE_URL: 'postgres://db.example/shop',
  });
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

it('O43 connections of live stores that let nobody in are counted', async () => {
  const { db, pool, config } = app.service;
  const read = async () =>
    (await readStoreFigures(db, { days: config.retainDays, readBackups: async () => null })).processorsBroken;
  const { rowCount } = await pool.query("update processors set health = 'broken'");
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from processors where not test_mode',
  );
  expect([Number(rowCount) > 0, await read()]).toEqual([true, rows[0]?.count]);
  await pool.query('update installation_state set is_copy = true');
  expect(await read()).toBe(0);
  await pool.query('update installation_state set is_copy = false');
  await pool.query("update processors set health = 'ok'");
});

const isTold = async () => /^counterfoil_webhooks_failing \d/m.test((await app.wired.metrics?.read()) ?? '');

/** A process that has told of itself; its beat was `sinceMs` ago. */
async function beat(id: string, sinceMs = 0): Promise<string> {
  const { db, pool } = app.service;
  await noteProcess(db, { id, role: 'all', version: '1', host: 'one', pool: 21, filesUrl: null });
  await pool.query('update processes set seen_at = seen_at - $2::bigint where id = $1', [id, sinceMs]);
  return id;
}

it('O42 of one that was killed another has them as soon as its beat is missed', async () => {
  const { db, processId } = app.service;
  const other = await beat(randomUUID());
  expect(await holdUpkeep(db, 'store figures', other)).toBe(true);
  await beat(processId);
  expect(await isTold()).toBe(false);
  await beat(other, MISSED_MS);
  expect(await isTold()).toBe(true);
  // It was slow, and not gone: what it had is another's meanwhile.
  await beat(other);
  expect(await holdUpkeep(db, 'store figures', other)).toBe(false);
});

it('O42 one that stops leaves them to the next at once', async () => {
  const { metrics } = app.wired;
  await beat(app.service.processId);
  const next = await beat(randomUUID());
  const ofNext = () => holdUpkeep(app.service.db, 'store figures', next);
  expect([await isTold(), await ofNext()]).toEqual([true, false]);
  await metrics?.end();
  // Whoever asks it until it has gone takes nothing back.
  expect([await isTold(), await ofNext()]).toEqual([false, true]);
});
