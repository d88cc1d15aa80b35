/** A store has a row of due work for each of its subscriptions: what is due much later costs a look of the metrics nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noteAsked } from '../../../test/support/asked-again.ts';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { JobKind } from '../../domain/due-work.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { readStoreFigures } from './store-figures.ts';

const LATER_ROWS = 3_000;
const LOT = 500;
const LATER_MS = 8_000_000_000_000;

const due = noteAsked((text) => /count\(\*\)::int as count,\s+coalesce\(real_now_ms\(\) - min\(w/.test(text));
const mails = noteAsked((text) => text.includes('min(coalesce(m.written_real_ms'));

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  for (let from = 0; from < LATER_ROWS; from += LOT) await put('advance_subscription', LOT, LATER_MS);
  await app.service.pool.query('vacuum analyze due_work');
});
afterAll(() => app.close());

async function put(kind: JobKind, count: number, dueMs: number): Promise<void> {
  const work = Array.from({ length: count }, () => ({ kind, refId: randomUUID(), dueMs }));
  await inTransaction(app.service.db, (tx) => insertDueWork(tx, app.test.scope, work));
}

it('counts what is due of each kind by what is due alone', async () => {
  await put('watch_order', 2, 1_000);
  const { retainDays: days } = app.service.config;
  const figures = await readStoreFigures(app.service.db, { days, readBackups: async () => null });
  expect(figures.due).toEqual([
    { kind: 'watch_order', state: 'waiting', count: 2, oldestMs: expect.any(Number) },
  ]);
  for (const asked of [due, mails])
    expect(await asked.countRead(app.service.pool)).toBeLessThan(LATER_ROWS / 4);
});

it('says nothing is late in a shop that is archived, whose due work waits for it', async () => {
  const { pool, db } = app.service;
  const { retainDays: days } = app.service.config;
  const readOldest = async () => {
    const { due: rows } = await readStoreFigures(db, { days, readBackups: async () => null });
    return rows.map(({ kind, oldestMs }) => [kind, oldestMs > 0]);
  };
  expect(await readOldest()).toEqual([['watch_order', true]]);
  const { workspaceId } = app.test.scope;
  await pool.query(`update workspaces set state = 'archived' where id = $1`, [workspaceId]);
  expect(await readOldest()).toEqual([['watch_order', false]]);
  await pool.query(`update workspaces set state = 'active' where id = $1`, [workspaceId]);
});
