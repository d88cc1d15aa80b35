import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Database } from './database.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase({ maxConnections: 2 });
});
afterAll(() => database.close());

async function isConnected(pid: number): Promise<boolean> {
  const { rows } = await database.pool.query('select from pg_stat_activity where pid = $1', [pid]);
  return rows.length > 0;
}

it('outlives a connection that is cut between two statements of a transaction', async () => {
  const { db } = database;
  const cut = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    const pid = rows[0]?.pid ?? 0;
    await sql`select pg_terminate_backend(${pid})`.execute(db);
    while (await isConnected(pid));
    await sql`select 1`.execute(tx);
  });
  await expect(cut).rejects.toThrow();
  const { rows } = await sql`select 1 as one`.execute(db);
  expect(rows).toEqual([{ one: 1 }]);
});
