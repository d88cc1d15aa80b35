/** What a processor says is disputed: where its charge is one of ours, the look at it is brought forward. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { BookedDispute } from '../../providers/payment/books.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { listChargesOfObjects } from '../../resources/processors/processor-books.queries.ts';

export async function compareDisputes(
  ctx: Context,
  scope: Scope,
  { connectionId, booked }: { connectionId: string; booked: readonly BookedDispute[] },
): Promise<void> {
  const processorIds = booked.map(({ ofCharge }) => ofCharge).filter((id) => id !== null);
  const charges = await listChargesOfObjects(ctx.db, scope, { connectionId, processorIds });
  const taken = charges.filter(({ status }) => status === 'succeeded');
  const looks = taken.map(({ id }) => ({ kind: 'watch_dispute' as const, refId: id, dueMs: ctx.nowMs }));
  if (looks.length > 0) await inTransaction(ctx.db, (tx) => insertDueWork(tx, scope, looks));
}
