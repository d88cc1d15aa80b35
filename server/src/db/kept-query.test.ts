import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Database } from './database.ts';
import { keepQuery } from './kept-query.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase({ maxConnections: 2 });
});

afterAll(() => database.close());

describe('keepQuery', () => {
  it('builds once and asks with the values of each call', async () => {
    let builds = 0;
    const add = keepQuery((db, { a, b }: { a: number; b: number }) => {
      builds += 1;
      const query = sql<{ sum: number }>`select ${a}::int + ${b}::int as sum`;
      return { compile: () => query.compile(db) };
    });
    expect(await add(database.db, { a: 1, b: 2 })).toEqual([{ sum: 3 }]);
    expect(await add(database.db, { a: 40, b: 2 })).toEqual([{ sum: 42 }]);
    expect(builds).toBe(1);
  });

  it('leaves out a column that is not given, and writes one that is null', async () => {
    const insert = keepQuery(
      (db, workspace: { id: string; name: string; createdAt: number; state?: 'archived' }) =>
        db.insertInto('workspaces').values(workspace).returning(['name', 'state']),
    );
    const one = { id: '00000000-0000-7000-8000-000000000001', name: 'one', createdAt: 1, state: undefined };
    const two = {
      id: '00000000-0000-7000-8000-000000000002',
      name: 'two',
      createdAt: 1,
      state: 'archived' as const,
    };
    expect(await insert(database.db, one)).toEqual([{ name: 'one', state: 'active' }]);
    expect(await insert(database.db, two)).toEqual([{ name: 'two', state: 'archived' }]);
  });

  it('builds anew for each value that stands in the text itself', async () => {
    let builds = 0;
    const list = keepQuery((db, { fixed, from }: { fixed: { limit: number }; from: number }) => {
      builds += 1;
      const query = sql<{
        n: number;
      }>`select n from generate_series(${from}::int, 9) n limit ${sql.lit(fixed.limit)}`;
      return { compile: () => query.compile(db) };
    });
    expect(await list(database.db, { fixed: { limit: 1 }, from: 2 })).toEqual([{ n: 2 }]);
    expect(await list(database.db, { fixed: { limit: 2 }, from: 3 })).toEqual([{ n: 3 }, { n: 4 }]);
    expect(await list(database.db, { fixed: { limit: 1 }, from: 5 })).toEqual([{ n: 5 }]);
    expect(builds).toBe(2);
  });

  it('takes any number of rows', async () => {
    const list = keepQuery((db, { from, rows }: { from: number; rows: Array<{ n: number }> }) => {
      const values = sql.join(rows.map(({ n }) => sql`(${n}::int)`));
      const query = sql<{
        n: number;
      }>`select n from (values ${values}) as given (n) where n >= ${from}::int order by n`;
      return { compile: () => query.compile(db) };
    });
    expect(await list(database.db, { from: 2, rows: [{ n: 3 }, { n: 1 }, { n: 2 }] })).toEqual([
      { n: 2 },
      { n: 3 },
    ]);
    expect(await list(database.db, { from: 0, rows: [{ n: 7 }] })).toEqual([{ n: 7 }]);
  });

  it('tells members of the same name in different parts apart, and builds anew where a part has others', async () => {
    let builds = 0;
    type Part = { n: number; m?: number };
    const list = keepQuery((db, { parts, n }: { n: number; parts: { a: Part; b?: Part } }) => {
      builds += 1;
      const values = [n, parts.a.n, parts.a.m, parts.b?.n].filter((value) => value !== undefined);
      const query = sql<{ all: number[] }>`select array[${sql.join(values)}]::int[] as all`;
      return { compile: () => query.compile(db) };
    });
    const ask = async (values: Parameters<typeof list>[1]) => (await list(database.db, values))[0]?.all;
    expect(await ask({ n: 1, parts: { a: { n: 2 }, b: { n: 3 } } })).toEqual([1, 2, 3]);
    expect(await ask({ n: 4, parts: { a: { n: 5 }, b: { n: 6 } } })).toEqual([4, 5, 6]);
    expect(builds).toBe(1);
    expect(await ask({ n: 7, parts: { a: { n: 8, m: 9 } } })).toEqual([7, 8, 9]);
    expect(builds).toBe(2);
  });
});
