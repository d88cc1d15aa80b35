import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, openPool, type TestDatabase } from '../../../test/support/database.ts';
import { runCommand } from '../../../test/support/run-command.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { findWaiting } from '../../db/migrate.ts';
import { planSpread, type SpreadPlan } from './plan-spread.ts';

let store: TestDatabase;
let database: Database;
beforeAll(async () => {
  store = await createTestDatabase();
  const pool = openPool(store);
  await pool.query(`
    create unique index orders_tried on orders (number);
    alter table charges add constraint charges_tried foreign key (workspace_id, test_mode, payment_id)
      references payments (workspace_id, test_mode, id) on delete set null (payment_id)`);
  await pool.end();
  const limits = { maxConnections: 1, acquireTimeoutMs: 5_000, statementTimeoutMs: 10_000 };
  database = openDatabase({ ...store.poolConfig, ...limits });
});
afterAll(async () => {
  await database?.close();
  await store?.drop();
});

const plan = async (isEmbedded = false): Promise<SpreadPlan> =>
  planSpread(database.db, { waiting: await findWaiting(store.poolConfig), isEmbedded });

it('says where each table would lie, and that the extension is missing', async () => {
  const { tables, obstacles } = await plan();
  const places = new Map(tables.map(({ name, place }) => [name, place]));
  expect([places.get('orders'), places.get('stores'), places.get('processes')]).toEqual([
    ...['distributed', 'reference', 'one shard'],
  ]);
  expect(tables.filter(({ isLaid }) => isLaid)).toEqual([]);
  expect(obstacles).toContainEqual(expect.stringContaining('the extension citus is not in this database'));
});

it('names what in the schema is in the way', async () => {
  const { obstacles, notes } = await plan();
  expect(obstacles).toContain('orders: orders_tried is unique without workspace_id');
  expect(obstacles).toContain('charges: charges_tried sets null and holds workspace_id');
  expect(notes.every((note) => /becomes a plain index$|the service does what it did$/.test(note))).toBe(true);
  // Of what is not made for the test, nothing is.
  expect(obstacles.filter((obstacle) => /^\w+: /.test(obstacle) && !obstacle.includes('_tried '))).toEqual(
    [],
  );
});

it('does not take an embedded store', async () => {
  expect((await plan(true)).obstacles[0]).toContain('npm run move');
});

it('ends the command with 6, and apply with it', async () => {
  const env = { DATABASE_URL: store.url };
  const planned = await runCommand('spread', ['plan'], env);
  expect([planned.code, planned.err]).toEqual([6, expect.stringContaining('Obstacle: orders: orders_tried')]);
  expect(planned.out).toMatch(/^distributed +orders +0 rows/m);
  expect((await runCommand('spread', ['apply', '--yes'], env)).code).toBe(6);
  expect((await runCommand('spread', ['status'], env)).code).toBe(3);
  expect((await runCommand('spread', ['isolate', 'nobody'], env)).code).toBe(2);
  expect((await runCommand('spread', ['undo'], env)).code).toBe(2);
});
