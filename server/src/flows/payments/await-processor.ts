/** What is due over a connection that is broken or paused waits as it is: no row, no event, no mail. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { AWAITS_PROCESSOR } from '../../domain/processors/waiting.ts';
import { postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';

/** It is brought forward once the connection is well; this is for when nobody was there to do so. */
const AGAIN_MS = 10 * 60_000;
/** An advance of a test clock runs ahead of the processor. */
const ADVANCED_MS = 24 * 3_600_000;

export async function awaitProcessor(
  tx: Tx,
  work: ClaimedWork,
  { nowMs, isAdvancing }: Pick<Context, 'nowMs' | 'isAdvancing'>,
): Promise<void> {
  const dueMs = nowMs + (isAdvancing === true ? ADVANCED_MS : AGAIN_MS);
  await postponeDueWork(tx, work, { dueMs, lastError: AWAITS_PROCESSOR });
}
