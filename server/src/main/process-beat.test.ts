import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import {
  countProcesses,
  endProcess,
  keepProcessesUnlogged,
  listProcesses,
  noteProcess,
} from '../resources/installation/processes.queries.ts';
import { warnOfPools } from './process-beat.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const own = { role: 'worker', version: '0.1.0', host: 'here', filesUrl: null };
const newId = () => app.service.ids.next(app.service.realNowMs());

async function listWarnings(): Promise<string[]> {
  const told: string[] = [];
  const log = { warn: (_fields: unknown, message: string) => void told.push(message) };
  // Of the log nothing else is asked.
  await warnOfPools({ db: app.service.db, log: log as unknown as typeof app.service.log });
  return told;
}

it('O05 warns with the sum of the pools that are more than the store lets in', async () => {
  const ids = [newId(), newId()];
  for (const id of ids) await noteProcess(app.service.db, { ...own, id, pool: 5_000 });
  expect(await countProcesses(app.service.db)).toEqual({ count: 2, pools: 10_000 });
  const [message, ...more] = await listWarnings();
  expect(message).toContain('10000 connections');
  expect(more).toEqual([]);
  for (const id of ids) await endProcess(app.service.db, id);
  expect(await listWarnings()).toEqual([]);
});

it('counts nobody who has not said for half a minute that they live', async () => {
  const id = newId();
  await noteProcess(app.service.db, { ...own, id, pool: 3 });
  const before = (await countProcesses(app.service.db)).count;
  await app.service.db
    .updateTable('processes')
    .set((eb) => ({ seenAt: eb('seenAt', '-', 31_000) }))
    .where('id', '=', id)
    .execute();
  expect((await countProcesses(app.service.db)).count).toBe(before - 1);
  await noteProcess(app.service.db, { ...own, id, pool: 3 });
  expect((await countProcesses(app.service.db)).count).toBe(before);
});

it('O23 writes to no log of an embedded store who is there: a store that rests archives nothing', async () => {
  const { db } = app.service;
  await keepProcessesUnlogged(db);
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_class where relname in ('processes', 'upkeep') and relkind = 'r'
      and relpersistence = 'u' and 'autovacuum_enabled=false' = any(reloptions) order by 1`.execute(db);
  expect(rows.map(({ relname }) => relname)).toEqual(['processes', 'upkeep']);
});

it('the service of an embedded store is among those that live, although it says so once', async () => {
  const { db, pool } = app.service;
  await keepProcessesUnlogged(db);
  await sql`delete from processes`.execute(db);
  const before = newId();
  const id = newId();
  for (const one of [before, id]) await noteProcess(db, { ...own, id: one, pool: 3 });
  await sql`update processes set seen_at = seen_at - 3600000, started_at = started_at - 3600000`.execute(db);
  await sql`update processes set started_at = started_at + 1 where id = ${id}::uuid`.execute(db);
  // As the service of the store does; in a run on the embedded store it may be held.
  const holder = await pool.connect();
  await holder.query('select pg_try_advisory_lock(20303, 1)');
  const listIds = async () => (await listProcesses(db)).map((one) => one.id);
  expect(await listIds()).toEqual([id]);
  expect(await countProcesses(db)).toEqual({ count: 1, pools: 3 });
  await endProcess(db, id);
  await endProcess(db, before);
  expect(await listIds()).toEqual([]);
  await holder.query('select pg_advisory_unlock(20303, 1)');
  holder.release();
});
