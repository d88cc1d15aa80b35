/** Changes of very many rows in statements of some thousand, each of which ends within the time that a statement has. */
import type { QueryResult } from 'kysely';

/** Rows of one statement. */
export const ROWS_AT_ONCE = 5_000;

/** Until nothing is left: a row that somebody else changes meanwhile may be passed over by one step, and is found by the next. */
export async function inSteps(step: () => Promise<QueryResult<unknown>>): Promise<void> {
  while (((await step()).numAffectedRows ?? 0n) > 0n);
}
