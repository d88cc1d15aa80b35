import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';

const made: TestDatabase[] = [];

async function make(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  made.push(database);
  return database;
}

async function query(database: TestDatabase, statement: string): Promise<unknown[]> {
  const client = new pg.Client(database.poolConfig);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

afterAll(async () => {
  for (const database of made) await database.drop();
});

describe('createTestDatabase', () => {
  it('gives databases that do not see each other, also when made at once', async () => {
    const [one, two, three] = await Promise.all([make(), make(), make()]);
    await query(one, 'create table seen (id int)');
    expect(await query(two, `select to_regclass('seen') as table`)).toEqual([{ table: null }]);
    expect(new Set([one.url, two.url, three.url]).size).toBe(3);
  });

  it('gives a database that is migrated', async () => {
    expect(await query(await make(), 'select count(*) > 0 as migrated from schema_migrations')).toEqual([
      { migrated: true },
    ]);
  });

  it('drops a database that still has a session', async () => {
    const database = await make();
    const left = new pg.Client(database.poolConfig);
    // pg reports the loss twice: PostgreSQL's word for it, and the closed socket.
    const lost = new Promise((resolve) => left.on('error', resolve));
    await left.connect();
    await database.drop();
    expect(String(await lost)).toMatch(/terminat/);
    await expect(query(database, 'select 1')).rejects.toThrow(/does not exist/);
  });
});
