/** What a processor says was given back, held against our refunds: what waits for its word is asked for. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import type { Finding, FindingKind } from '../../domain/processors/findings.ts';
import type { BookedRefund } from '../../providers/payment/books.ts';
import { findBookedRefund } from '../../resources/processors/processor-books.queries.ts';
import { sendWrittenRefund } from '../refunds/refund-payment.ts';

export async function compareRefunds(
  ctx: Context,
  scope: Scope,
  { connectionId, booked }: { connectionId: string; booked: readonly BookedRefund[] },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  // Oldest first, as they came about.
  for (const theirs of [...booked].reverse()) {
    const { processorId, ownId } = theirs;
    const refund = await findBookedRefund(ctx.db, scope, { connectionId, processorId, ownId });
    if (refund?.status !== 'pending' || theirs.status === 'pending') continue;
    const { refund: after } = await sendWrittenRefund(ctx, scope, refund.id);
    if (after.status !== 'pending') findings.push(toFinding('repaired', theirs, refund));
  }
  return findings;
}

function toFinding(kind: FindingKind, theirs: BookedRefund, refund: Row<'refunds'>): Finding {
  const { processorId, amountMinor, currency } = theirs;
  return {
    ...{ kind, processorId, chargeId: refund.chargeId, currency },
    ours: Number(refund.amount),
    theirs: Number(amountMinor),
  };
}
