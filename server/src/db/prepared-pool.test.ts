import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Database } from './database.ts';
import { inTransaction } from './transaction.ts';

let database: Database;

beforeAll(async () => {
  // One connection, so that every statement meets what an earlier one prepared.
  database = await openTestDatabase({ maxConnections: 1 });
  await database.pool.query('create table jottings (id int); insert into jottings values (1)');
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

  it('asks what columns a statement has once a connection', async () => {
    // pg's typing does not know its connection.
    const { prototype } = (pg as unknown as { Connection: { prototype: { describe(): void } } }).Connection;
    const { describe: original } = prototype;
    let count = 0;
    prototype.describe = function note(this: object, ...given: []) {
      count += 1;
      original.apply(this, given);
    };
    try {
      for (const value of [1, 2, 3]) {
        const { rows } = await sql`select ${value}::int as told_once`.execute(database.db);
        expect(rows).toEqual([{ toldOnce: value }]);
      }
    } finally {
      prototype.describe = original;
    }
    expect(count).toBe(1);
  });

  it('asks anew when a name has come to mean other columns, as it may behind a pooler', async () => {
    const ask = () => sql`select ${1}::int as looked_at`.execute(database.db);
    await ask();
    const { rows } = await database.pool.query(
      `select name from pg_prepared_statements where statement like '%looked_at%' and name like 's%'`,
    );
    const [{ name }] = rows;
    await database.pool.query(
      `deallocate ${name}; prepare ${name}(int) as select 0 as more, $1 as looked_at`,
    );
    expect((await ask()).rows).toEqual([{ lookedAt: 1 }]);
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
    const ask = () => sql`select * from jottings where id = ${1}`.execute(database.db);
    await ask();
    await database.pool.query('alter table jottings add column text text');
    expect((await ask()).rows).toEqual([{ id: 1, text: null }]);
  });

  it('repeats the whole transaction when a migration has changed the table of a prepared statement', async () => {
    const ask = () =>
      inTransaction(database.db, async (tx) => {
        await sql`update jottings set id = id + ${1}`.execute(tx);
        return sql`select * from jottings where id > ${0}`.execute(tx);
      });
    await ask();
    await database.pool.query('alter table jottings add column more text');
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
