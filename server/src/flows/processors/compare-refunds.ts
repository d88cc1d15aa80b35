/** What a processor says was given back, held against our refunds: what is behind is brought up, what was made there imported. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import type { Finding, FindingKind } from '../../domain/processors/findings.ts';
import type { BookedRefund } from '../../providers/payment/books.ts';
import { listChargesOfObjects } from '../../resources/processors/processor-books.queries.ts';
import { type Followed, followRefund } from '../refunds/follow-refunds.ts';

const KIND_OF: Readonly<Record<Followed, FindingKind | null>> = {
  none: null,
  repaired: 'repaired',
  imported: 'imported',
  // More than is left of it here.
  refused: 'amount_differs',
};

export async function compareRefunds(
  ctx: Context,
  scope: Scope,
  { connectionId, booked }: { connectionId: string; booked: readonly BookedRefund[] },
): Promise<Finding[]> {
  const processorIds = booked.map(({ ofCharge }) => ofCharge).filter((id) => id !== null);
  const charges = await listChargesOfObjects(ctx.db, scope, { connectionId, processorIds });
  const known = new Map(charges.map((charge) => [charge.processorId, charge]));
  const findings: Finding[] = [];
  // Oldest first, as they came about.
  for (const theirs of [...booked].reverse()) {
    const charge = theirs.ofCharge === null ? undefined : known.get(theirs.ofCharge);
    const kind = charge ? KIND_OF[await followRefund(ctx, scope, { charge, theirs })] : null;
    if (charge && kind) findings.push(toFinding(kind, theirs, charge));
  }
  return findings;
}

function toFinding(kind: FindingKind, theirs: BookedRefund, charge: Row<'charges'>): Finding {
  const { processorId, amountMinor, currency } = theirs;
  const ours = kind === 'amount_differs' ? null : Number(amountMinor);
  return { kind, processorId, chargeId: charge.id, currency, ours, theirs: Number(amountMinor) };
}
