/** A transaction on a store whose sessions only read, since it is being spread. */
import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';
import { inTransaction } from './transaction.ts';

/** Writes, while the store is closed for all others. */
export async function inOpenTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`set transaction read write`.execute(tx);
    await sql`set local lock_timeout = 0`.execute(tx);
    await sql`set local citus.enable_unsafe_triggers = on`.execute(tx);
    return work(tx);
  });
}
