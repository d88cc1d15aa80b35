/** A workspace that moves to a node of its own while it and others are written to. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { readStoreFailure } from '../../src/db/store-failure.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { buildService } from '../faults/service-process.ts';
import { listFixtures, readFixture, type Upgraded, upgrade } from '../support/upgrading.ts';
import { joinCluster, type TestCluster } from './cluster.ts';
import { runSpread } from './spread-command.ts';

const WRITERS = 4;

let store: Upgraded;
let cluster: TestCluster;
let database: Database;
beforeAll(async () => {
  const [fixture = ''] = (await listFixtures()).slice(-1);
  store = await upgrade(await readFixture(fixture));
  await store.wired.close();
  cluster = await joinCluster(store.database);
  await buildService();
  const [url = ''] = cluster.urls;
  expect(await runSpread(url, ['apply', '--yes'])).toMatchObject({ code: 0 });
  const limits = { maxConnections: WRITERS, acquireTimeoutMs: 5_000, statementTimeoutMs: 30_000 };
  database = openDatabase({ connectionString: url, ...limits });
});
afterAll(async () => {
  await database?.close();
  await cluster?.drop();
});

interface Written {
  held: string[];
  /** Other than what is answered with 503. */
  failed: unknown[];
}

/** Writes until it is told to end; what was not taken is not written again. */
async function writeUntil(workspaceId: string, written: Written, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const id = randomUUID();
    try {
      await inTransaction(database.db, (tx) =>
        sql`
          insert into notes (workspace_id, test_mode, id, object, object_id, text, author, created_at)
          values (${workspaceId}::uuid, true, ${id}::uuid, 'order', ${id}::uuid, 'Written meanwhile', 'owner', 1)`.execute(
          tx,
        ),
      );
      written.held.push(id);
    } catch (error) {
      if (readStoreFailure(error) === null) written.failed.push(error);
    }
  }
}

it('O20 isolate under load: nothing is lost or doubled, and what is refused is refused as 503', async () => {
  const [url = ''] = cluster.urls;
  const [{ id } = { id: '' }] = await cluster.query<{ id: string }>(
    'select workspace_id as id from orders group by 1 order by count(*) desc limit 1',
  );
  const placed = () =>
    cluster.query<{ node: string }>(`select nodename || ':' || nodeport as node from citus_shards
      where shardid = get_shard_id_for_distribution_column('orders', '${id}'::uuid)`);
  const [before] = await placed();
  const targets = await cluster.query<{ node: string }>(
    `select nodename || ':' || nodeport as node from pg_dist_node where shouldhaveshards and nodename || ':' || nodeport <> '${before?.node}'`,
  );
  const to = targets[0]?.node ?? '';
  const written: Written = { held: [], failed: [] };
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, () => writeUntil(id, written, () => isOver));
  await expect.poll(() => written.held.length).toBeGreaterThan(WRITERS);
  const { code, output } = await runSpread(url, ['isolate', id, '--to', to]);
  const duringAndBefore = written.held.length;
  await expect.poll(() => written.held.length).toBeGreaterThan(duringAndBefore + WRITERS);
  isOver = true;
  await Promise.all(writers);

  expect([code, output]).toEqual([0, `${id} lies alone on a shard at ${to}.\n`]);
  expect(await placed()).toEqual([{ node: to }]);
  expect(written.failed).toEqual([]);
  const there = await cluster.query<{ id: string }>(`select id from notes where text = 'Written meanwhile'`);
  // One whose commit was not heard of may hold, too.
  expect(new Set(there.map((row) => row.id)).size).toBe(there.length);
  expect(there.map((row) => row.id)).toEqual(expect.arrayContaining(written.held));
});

it('finds the guards of its rows there', async () => {
  await expect(cluster.query('delete from ledger_entries')).rejects.toThrow(
    'the ledger is only ever added to',
  );
  await expect(cluster.query('update invoices set total = total + 1')).rejects.toThrow(
    'a finalised invoice is never changed',
  );
});
