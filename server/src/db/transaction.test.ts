import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import type { Db, Tx } from './database.ts';
import { inTransaction, violatedKey } from './transaction.ts';

let app: TestApp;
let db: Db;
beforeAll(async () => {
  app = await createTestApp();
  db = app.service.db;
  await sql`create table counters (id int primary key, n int not null default 0)`.execute(db);
  await sql`insert into counters (id) values (1), (2)`.execute(db);
});
afterAll(() => app.close());

const addOne = (tx: Tx, id: number) => sql`update counters set n = n + 1 where id = ${id}`.execute(tx);

async function readCounter(id: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select n from counters where id = ${id}`.execute(db);
  return rows[0]?.n ?? -1;
}

/** A gate that opens when as many have come as are expected. */
function createGate(count: number): () => Promise<void> {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let waiting = 0;
  return () => {
    waiting += 1;
    if (waiting >= count) open();
    return opened;
  };
}

describe('inTransaction', () => {
  it('T48 runs the loser of a deadlock again, so that both effects are there once', async () => {
    const before = [await readCounter(1), await readCounter(2)];
    const meet = createGate(2);
    let runs = 0;
    const cross = (first: number, second: number) =>
      inTransaction(db, async (tx) => {
        runs += 1;
        await addOne(tx, first);
        await meet();
        await addOne(tx, second);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(runs).toBe(3);
    expect([await readCounter(1), await readCounter(2)]).toEqual(before.map((n) => n + 2));
  });

  it('T48 runs the loser of a serialization failure again', async () => {
    const before = await readCounter(1);
    const meet = createGate(2);
    let runs = 0;
    const addAfterReading = () =>
      inTransaction(db, async (tx) => {
        runs += 1;
        await sql`set transaction isolation level serializable`.execute(tx);
        const { rows } = await sql<{ n: number }>`select n from counters where id = 1`.execute(tx);
        await meet();
        await sql`update counters set n = ${(rows[0]?.n ?? 0) + 1} where id = 1`.execute(tx);
      });
    await Promise.all([addAfterReading(), addAfterReading()]);
    expect(runs).toBeGreaterThanOrEqual(3);
    expect(await readCounter(1)).toBe(before + 2);
  });

  it('T48 gives up after five repetitions', async () => {
    let runs = 0;
    const hopeless = inTransaction(db, async () => {
      runs += 1;
      throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    });
    await expect(hopeless).rejects.toThrow('could not serialize');
    expect(runs).toBe(6);
  });

  it('does not run again what failed for another reason, and leaves nothing of it', async () => {
    const before = await readCounter(1);
    let runs = 0;
    const refused = inTransaction(db, async (tx) => {
      runs += 1;
      await addOne(tx, 1);
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect([runs, await readCounter(1)]).toEqual([1, before]);
  });

  it('gives its connection back after every end', async () => {
    const failing = () => inTransaction(db, () => Promise.reject(new Error('no'))).catch(() => {});
    for (let i = 0; i < 60; i += 1) await failing();
    expect(app.service.pool.waitingCount).toBe(0);
    expect(app.service.pool.idleCount).toBe(app.service.pool.totalCount);
  });
});

describe('a query that leaves its transaction', () => {
  it('fails, since it would wait for a second connection and not see what was written', async () => {
    const escaping = inTransaction(db, async (tx) => {
      await addOne(tx, 1);
      await addOne(db as Tx, 1);
    });
    await expect(escaping).rejects.toThrow('a query left its transaction');
  });

  it('fails in what the transaction calls later, too', async () => {
    const late = async () => {
      await new Promise(setImmediate);
      return readCounter(1);
    };
    await expect(inTransaction(db, async () => late())).rejects.toThrow('a query left its transaction');
  });

  it('is no matter beside and after a transaction', async () => {
    await Promise.all([inTransaction(db, (tx) => addOne(tx, 1)), readCounter(1)]);
    expect(await readCounter(1)).toBeGreaterThan(0);
  });
});

describe('violatedKey', () => {
  it('names the unique key that an insert met, and nothing for other errors', async () => {
    const error = await sql`insert into counters (id) values (1)`
      .execute(db)
      .catch((cause: unknown) => cause);
    expect(violatedKey(error)).toBe('counters_pkey');
    const other = await sql`select 1/0`.execute(db).catch((cause: unknown) => cause);
    expect(violatedKey(other)).toBeNull();
    expect(violatedKey('text')).toBeNull();
  });
});
