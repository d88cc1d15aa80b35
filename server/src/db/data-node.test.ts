import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { findWaiting, migrate } from './migrate.ts';

let store: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  [store, empty] = [await createTestDatabase(), await createEmptyDatabase()];
  // As the extension has it on a node that is not the coordinator.
  for (const database of [store, empty])
    await run(
      database,
      'create table pg_dist_local_group (groupid int); insert into pg_dist_local_group values (1)',
    );
});
afterAll(async () => {
  await store?.drop();
  await empty?.drop();
});

async function run({ poolConfig }: TestDatabase, text: string): Promise<void> {
  const client = new pg.Client(poolConfig);
  await client.connect();
  await client.query(text).finally(() => client.end());
}

it('takes a store that waits for nothing', async () => {
  expect(await migrate(store.poolConfig)).toBe(0);
  expect((await findWaiting(store.poolConfig)).pending).toEqual([]);
});

it('refuses the migrations that wait', async () => {
  await run(store, 'delete from schema_migrations where name = (select max(name) from schema_migrations)');
  const why = '1 migration(s) wait, and this is a data node: run them at the coordinator of the store';
  await expect(migrate(store.poolConfig)).rejects.toThrow(why);
  await expect(findWaiting(store.poolConfig)).rejects.toThrow(why);
});

it('makes no store of its own', async () => {
  await expect(migrate(empty.poolConfig)).rejects.toThrow('no store is spread over it yet');
});
