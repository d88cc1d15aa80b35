import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Database, Db, Tx } from './database.ts';
import { inGroupTransaction } from './group-transaction.ts';
import { askLast } from './sent-together.ts';
import { inTransaction } from './transaction.ts';

let database: Database;
let db: Db;
beforeAll(async () => {
  database = await openTestDatabase({ maxConnections: 3, guardEscapes: true });
  ({ db } = database);
  await sql`create table counters (id int primary key, n int not null default 0)`.execute(db);
  await sql`insert into counters (id) values (1), (2)`.execute(db);
});
afterAll(() => database.close());

const addOne = (tx: Tx, id: number) => sql`update counters set n = n + ${1} where id = ${id}`.execute(tx);
const insert = (tx: Tx, id: number) => sql`insert into counters (id) values (${id})`.execute(tx);

/** Lets nobody go on until so many have come. */
function meeting(size: number): () => Promise<void> {
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  let here = 0;
  return () => {
    here += 1;
    if (here === size) open();
    return all;
  };
}

async function readCounter(id: number): Promise<number | undefined> {
  const { rows } = await sql<{ n: number }>`select n from counters where id = ${id}`.execute(db);
  return rows[0]?.n;
}

describe('statements that are sent together', () => {
  it('run in the order of asking', async () => {
    const [, , { rows }] = await inTransaction(db, (tx) =>
      Promise.all([insert(tx, 10), addOne(tx, 10), sql`select n from counters where id = 10`.execute(tx)]),
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('leave in one write of the socket, with the begin of their transaction', async () => {
    const client = await database.pool.connect();
    // pg's typing does not show its socket.
    const { stream } = (client as unknown as { connection: { stream: { _writev: unknown } } }).connection;
    const write = stream._writev as (...given: unknown[]) => unknown;
    let writes = 0;
    stream._writev = function count(...given: unknown[]) {
      writes += 1;
      return write.apply(this, given);
    };
    client.release();
    await inTransaction(db, async (tx) => {
      await Promise.all([addOne(tx, 1), addOne(tx, 2)]);
      await askLast(tx, () => addOne(tx, 1));
    });
    delete (stream as Partial<typeof stream>)._writev;
    expect(writes).toBe(2);
  });

  it('T48 give as their reason the one that failed first, whichever is waited for first', async () => {
    const failing = inTransaction(db, async (tx) => {
      const first = (async () => {
        const inserted = await insert(tx, 1);
        await Promise.resolve();
        return inserted;
      })();
      await Promise.all([addOne(tx, 2), first, addOne(tx, 2), addOne(tx, 2)]);
    });
    await expect(failing).rejects.toThrow(/duplicate key/);
  });

  it('T48 are run again when any of them loses a race', async () => {
    const before = [(await readCounter(1)) ?? 0, (await readCounter(2)) ?? 0];
    let runs = 0;
    const both = (first: number, second: number, meet: () => Promise<void>) =>
      inTransaction(db, async (tx) => {
        runs += 1;
        await addOne(tx, first);
        await meet();
        // The second waits for the other transaction, and those behind it are refused with it.
        const late = askLast(tx, () => addOne(tx, second));
        await Promise.all([late, addOne(tx, 10), addOne(tx, 10)]);
      });
    for (let round = 0; round < 5; round += 1) {
      const meet = meeting(2);
      await Promise.all([both(1, 2, meet), both(2, 1, meet)]);
    }
    // One of two in each round; on a slow machine one may lose once more, while the other still holds its rows.
    expect(runs).toBeGreaterThanOrEqual(15);
    expect([await readCounter(1), await readCounter(2)]).toEqual(before.map((n) => n + 10));
  });
});

describe('the end of a transaction', () => {
  it('is none while a statement that it was left to has failed', async () => {
    const before = await readCounter(1);
    const failing = inTransaction(db, async (tx) => {
      await addOne(tx, 1);
      await askLast(tx, () => insert(tx, 2));
      return 'done';
    });
    await expect(failing).rejects.toThrow(/duplicate key/);
    expect(await readCounter(1)).toBe(before);
  });

  it('is none of a transaction whose failure somebody has caught', async () => {
    const failing = inTransaction(db, async (tx) => {
      await addOne(tx, 1);
      await insert(tx, 1).catch(() => {});
    });
    await expect(failing).rejects.toThrow(/duplicate key/);
  });

  it('refuses what comes after it, since the connection is another’s by then', async () => {
    let kept: Tx | undefined;
    await inTransaction(db, async (tx) => {
      kept = tx;
      await addOne(tx, 1);
    });
    await expect(addOne(kept as Tx, 1)).rejects.toThrow('after the end of its connection');
  });

  it('asks nothing of the store where nothing was asked', async () => {
    const { totalCount } = database.pool;
    await inTransaction(db, async () => {});
    expect(database.pool.totalCount).toBe(totalCount);
  });
});

describe('a piece of a group', () => {
  it('may ask for several things at once', async () => {
    await inGroupTransaction(db, [21, 22, 23], async (tx, id) => {
      await Promise.all([insert(tx, id), addOne(tx, id)]);
      await askLast(tx, () => addOne(tx, id));
    });
    expect(await Promise.all([21, 22, 23].map(readCounter))).toEqual([2, 2, 2]);
  });
});
