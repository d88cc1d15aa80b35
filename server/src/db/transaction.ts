import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { takeFacts } from './committed-facts.ts';
import {
  type Db,
  enterTransaction,
  findWatch,
  noteRetry,
  runInsideTransaction,
  type Tx,
  takeConnection,
} from './database.ts';
import { isStalePlan } from './prepared-pool.ts';
import {
  isConnected,
  Statements,
  TransactionStatements,
  toConnectedDb,
  toTransaction,
} from './sent-together.ts';
import { isNameLost } from './store-way.ts';

const RETRY_LIMIT = 5;
/** serialization_failure and deadlock_detected: the loser of a race, right on a second try. */
const RETRYABLE = new Set(['40001', '40P01']);

/**
 * The one place where a transaction is opened. `work` may run again after a deadlock, a serialization failure,
 * a plan that a migration has outdated or a name that a pooler has lost (at most 5 times, with jitter), so it must have no effect outside
 * the transaction. What it asks for at once is sent together and run in the order of asking (`Promise.all`).
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return runAgain(db, async () => {
    const leave = await enterTransaction(db);
    try {
      return await runOnce(db, work);
    } finally {
      leave();
    }
  });
}

async function runAgain<T>(db: Db, run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= RETRY_LIMIT || !isRetryable(error)) throw error;
      noteRetry(db, error);
    }
    await wait(Math.random() * 20 * 2 ** attempt);
  }
}

/**
 * Reads on one connection: what `work` asks for at once leaves in one write, for the price of one round trip. Within a
 * transaction, or within another of these, that is its own.
 */
export async function readTogether<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  if (isConnected(db)) return work(db);
  const connection = await takeConnection(db);
  const statements = new Statements(connection);
  try {
    return await work(toConnectedDb(db, statements));
  } finally {
    statements.end();
    connection.release();
  }
}

/** Reads in a transaction whose statements have no longer than this, each: what takes longer fails with 57014. */
export async function readWithin<T>(
  db: Db,
  { limitMs, hangsOnValues }: { limitMs: number; hangsOnValues: boolean },
  work: (db: Db) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    const [, , answer] = await Promise.all([
      sql`set local statement_timeout = ${sql.lit(limitMs)}`.execute(tx),
      // A plan for all values is taken only where the store finds it as good.
      hangsOnValues ? sql`set local plan_cache_mode = auto`.execute(tx) : null,
      work(tx),
    ]);
    return answer;
  });
}

/**
 * Reads of one moment: what is committed meanwhile is in none of them. It waits behind nobody's writing, and a full disk
 * does not keep it.
 */
export async function readMoment<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return runAgain(db, () =>
    runOnce(db, async (tx) => {
      const [, answer] = await Promise.all([
        sql`set transaction isolation level repeatable read, read only`.execute(tx),
        work(tx),
      ]);
      return answer;
    }),
  );
}

async function runOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const connection = await takeConnection(db);
  try {
    const statements = new TransactionStatements(connection);
    const tx = toTransaction(db, statements);
    const watch = findWatch(db);
    const facts = watch ? takeFacts(tx) : [];
    let result: T;
    try {
      result = await runInsideTransaction(db, () => work(tx));
    } catch (error) {
      // A connection that cannot say so any more is broken, and what was begun on it ends with it.
      await statements.rollback().catch(() => {});
      throw error;
    }
    await statements.commit();
    watch?.committed(facts);
    return result;
  } finally {
    connection.release();
  }
}

function isRetryable(error: unknown): boolean {
  if (isStalePlan(error) || isNameLost(error)) return true;
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code));
}

/** The name of the unique key an error is about, or null when it is another error. */
export function violatedKey(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return null;
  const named = 'constraint' in error ? error.constraint : undefined;
  // A node of a spread store names it in the text alone, with the number of its piece of the table.
  const constraint = named ?? /unique constraint "([^"]+)"/.exec(error.message)?.[1] ?? null;
  return constraint === null ? null : String(constraint).replace(/_\d{6,}$/, '');
}
