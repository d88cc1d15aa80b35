/** Settles what a processor has done, or leaves it to the look that is due when the store cannot take it now. */
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { readStoreFailure } from '../../db/store-failure.ts';
import { inTransaction } from '../../db/transaction.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { DueWorkKey } from '../../resources/due-work/due-work.sql.ts';

export interface SettlingOrLeaving<T> {
  settle: (tx: Tx) => Promise<T>;
  /** The work that asks the processor again. */
  look: DueWorkKey;
  /** What is answered where nothing could be settled: everything as it stands. */
  read: (db: Db) => Promise<T>;
}

/**
 * The processor may have taken money, so that a row which is locked for too long is no reason to refuse: what stands
 * is answered (PENDING), and the work that settles it is due at once.
 */
export async function settleOrLeave<T>(
  ctx: Context,
  scope: Scope,
  { settle, look, read }: SettlingOrLeaving<T>,
): Promise<T> {
  try {
    return await inTransaction(ctx.db, settle);
  } catch (error) {
    if (readStoreFailure(error) === null) throw error;
    ctx.log.warn({ err: error, kind: look.kind, refId: look.refId }, 'an outcome is settled later');
    await inTransaction(ctx.db, (tx) => insertDueWork(tx, scope, [{ ...look, dueMs: ctx.nowMs }]));
    return read(ctx.db);
  }
}
