import { setTimeout as wait } from 'node:timers/promises';
import { type Db, enterTransaction, noteRetry, runInsideTransaction, type Tx } from './database.ts';
import { isStalePlan } from './prepared-pool.ts';

const RETRY_LIMIT = 5;
/** serialization_failure and deadlock_detected: the loser of a race, right on a second try. */
const RETRYABLE = new Set(['40001', '40P01']);

/**
 * The one place where a transaction is opened. `work` may run again after a deadlock, a serialization failure
 * or a plan that a migration has outdated (at most 5 times, with jitter), so it must have no effect outside
 * the transaction.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    const leave = await enterTransaction(db);
    try {
      return await db
        .connection()
        .execute((connection) => runInsideTransaction(db, () => connection.transaction().execute(work)));
    } catch (error) {
      if (attempt >= RETRY_LIMIT || !isRetryable(error)) throw error;
      noteRetry(db, error);
    } finally {
      leave();
    }
    await wait(Math.random() * 20 * 2 ** attempt);
  }
}

function isRetryable(error: unknown): boolean {
  if (isStalePlan(error)) return true;
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code));
}

/** The name of the unique key an error is about, or null when it is another error. */
export function violatedKey(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return null;
  return 'constraint' in error ? String(error.constraint) : null;
}
