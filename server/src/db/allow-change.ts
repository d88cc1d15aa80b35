/**
 * Tells the guards of kept rows what a transaction may do. By a setting of the transaction that is said as a command, since
 * only so does it go along to the nodes of a spread store.
 */
import { sql } from 'kysely';
import { assert } from '../domain/assert.ts';
import type { Tx } from './database.ts';

/** The id of the workspace whose rows may be changed, or `on` for whatever comes back. */
const VALUE = /^(on|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export async function allowChange(
  tx: Tx,
  what: 'purge' | 'retention' | 'erasure' | 'restore',
  value: string,
): Promise<void> {
  // A command takes no parameters.
  assert(VALUE.test(value), 'what a guard is told is an id');
  await sql.raw(`set local counterfoil.${what} = '${value}'`).execute(tx);
}
