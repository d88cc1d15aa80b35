import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Database } from './database.ts';
import { inTransaction } from './transaction.ts';

let database: Database;

beforeAll(async () => {
  // One connection, so that every statement meets what an earlier one prepared.
  database = await openTestDatabase({ maxConnections: 1 });
  await database.pool.query('create table notes (id int); insert into notes values (1)');
});

afterAll(() => database.close());

async function countPrepared(text: string): Promise<number> {
  const { rows } = await database.pool.query(
    `select count(*)::int as count from pg_prepared_statements where statement like '${text}%'`,
  );
  return rows[0].count;
}

describe('a prepared pool', () => {
  it('prepares a statement once, whatever its values', async () => {
    for (const value of [1, 2, 3]) await sql`select ${value}::int as once`.execute(database.db);
    expect(await countPrepared('select $1::int as once')).toBe(1);
  });

  it('prepares nothing that has no values', async () => {
    await sql`select 1 as plain`.execute(database.db);
    expect(await countPrepared('select 1 as plain')).toBe(0);
  });

  it('names columns in camelCase and leaves the names inside of JSON alone', async () => {
    const { rows } = await sql`select ${1}::int as one_number, '{"a_b":1}'::jsonb as a_json`.execute(
      database.db,
    );
    expect(rows).toEqual([{ oneNumber: 1, aJson: { a_b: 1 } }]);
  });

  it('asks again when a migration has changed the table of a prepared statement', async () => {
    const ask = () => sql`select * from notes where id = ${1}`.execute(database.db);
    await ask();
    await database.pool.query('alter table notes add column text text');
    expect((await ask()).rows).toEqual([{ id: 1, text: null }]);
  });

  it('repeats the whole transaction when a migration has changed the table of a prepared statement', async () => {
    const ask = () =>
      inTransaction(database.db, async (tx) => {
        await sql`update notes set id = id + ${1}`.execute(tx);
        return sql`select * from notes where id > ${0}`.execute(tx);
      });
    await ask();
    await database.pool.query('alter table notes add column more text');
    expect((await ask()).rows).toEqual([{ id: 3, text: null, more: null }]);
  });

  it('prepares no more than 400 texts', async () => {
    for (let count = 0; count < 450; count += 1) {
      const { rows } = await sql`select ${count}::int as ${sql.ref(`n${count}`)}`.execute(database.db);
      expect(rows).toEqual([{ [`n${count}`]: count }]);
    }
    const { rows } = await database.pool.query('select count(*)::int as count from pg_prepared_statements');
    // Older names stay prepared on a connection until it ends: a generation lost its names above.
    expect(rows[0].count).toBeLessThan(420);
  });
});
