import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Database, Tx } from './database.ts';
import { inGroupOrAlone, inGroupTransaction } from './group-transaction.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase({ maxConnections: 2, guardEscapes: true });
  await database.pool.query('create table jottings (place serial, text text unique)');
});
beforeEach(() => database.pool.query('truncate jottings restart identity'));
afterAll(() => database.close());

const note = (tx: Tx, text: string) => sql`insert into jottings (text) values (${text})`.execute(tx);

async function readNotes(): Promise<string[]> {
  const { rows } = await database.pool.query<{ text: string }>('select text from jottings order by place');
  return rows.map(({ text }) => text);
}

async function readXid(tx: Tx): Promise<string> {
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid, ${1}::int`.execute(
    tx,
  );
  return rows[0]?.xid ?? '';
}

/** Comes back after as many turns of the event loop. */
async function dawdle(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('a group', () => {
  it('runs in one transaction and answers in the order of its items', async () => {
    const xids = await inGroupTransaction(database.db, ['a', 'b', 'c'], async (tx, item) => ({
      item,
      xid: await readXid(tx),
    }));
    expect(xids.map(({ item }) => item)).toEqual(['a', 'b', 'c']);
    expect(new Set(xids.map(({ xid }) => xid)).size).toBe(1);
  });

  it('sends each round in the order of the items, however long each takes to ask', async () => {
    const items = [
      { name: 'a', turns: 5, asks: 2 },
      { name: 'b', turns: 0, asks: 3 },
      { name: 'c', turns: 2, asks: 1 },
      { name: 'd', turns: 0, asks: 0 },
    ];
    await inGroupTransaction(database.db, items, async (tx, { name, turns, asks }) => {
      for (let ask = 1; ask <= asks; ask += 1) {
        await dawdle(turns);
        await note(tx, `${name}${ask}`);
      }
    });
    expect(await readNotes()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'b3']);
  });

  it('waits for all that a piece asks at once', async () => {
    await inGroupTransaction(database.db, ['a', 'b'], async (tx, name) => {
      await Promise.all([note(tx, `${name}1`), note(tx, `${name}2`)]);
      await note(tx, `${name}3`);
    });
    expect((await readNotes()).toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
  });

  it('leaves nothing when the store refuses a piece, and says why', async () => {
    const group = inGroupTransaction(database.db, ['a', 'a', 'b'], async (tx, text) => {
      await note(tx, text);
      await note(tx, `${text}, again`);
    });
    await expect(group).rejects.toMatchObject({ code: '23505' });
    expect(await readNotes()).toEqual([]);
  });

  it('leaves nothing when a piece throws while the others go on', async () => {
    const group = inGroupTransaction(database.db, ['a', 'b', 'c'], async (tx, text) => {
      await note(tx, text);
      if (text === 'b') throw new Error('not this one');
      await note(tx, `${text}, again`);
    });
    await expect(group).rejects.toThrow('not this one');
    expect(await readNotes()).toEqual([]);
  });

  it('gives its connection back, whatever became of it', async () => {
    for (let count = 0; count < 5; count += 1) {
      const group = inGroupTransaction(database.db, ['a', 'a'], (tx, text) => note(tx, text));
      await expect(group).rejects.toThrow();
    }
    await inGroupTransaction(database.db, ['c', 'd'], (tx, text) => note(tx, text));
    expect(await readNotes()).toEqual(['c', 'd']);
  });

  it('does each by itself where they cannot hold together', async () => {
    await database.pool.query(`insert into jottings (text) values ('taken')`);
    const results = await inGroupOrAlone(database.db, ['a', 'taken', 'b'], async (tx, text) => {
      await note(tx, text);
      return text;
    });
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await readNotes()).toEqual(['taken', 'a', 'b']);
  });
});
