/**
 * What a processor says of a dispute moves ours: an inquiry takes nothing, an open one freezes, and its end restores or
 * gives back. Each step is gone once, whatever was missed between.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type { ToldDispute } from '../../providers/payment/payment-provider.ts';
import { findDispute, updateDispute } from '../../resources/disputes/disputes.queries.ts';
import { lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { atLock } from '../outbox/at-lock.ts';
import { closeDispute } from './close-dispute.ts';
import { toDisputeFacts } from './dispute-facts.ts';
import { noteInquiry } from './note-inquiry.ts';
import { openDispute } from './open-dispute.ts';

interface Following {
  tx: Tx;
  charge: Row<'charges'>;
  told: ToldDispute;
}

export async function followDispute(
  step: Step,
  scope: Scope,
  { tx, charge, told }: Following,
): Promise<void> {
  const sale = await lockSale(tx, scope, { paymentId: charge.paymentId, chargeId: null });
  assert(sale, 'a charge has its payment');
  // Of one moment, whatever it moves: the pause that a dispute begins is told by it, and its events keep their order.
  const ctx = atLock(step);
  if (charge.reversedAt !== null) return;
  const known = await findDispute(tx, scope, { chargeId: charge.id, processorId: told.processorId });
  const { stage } = told;
  if (known) await updateDispute(tx, scope, { id: known.id, ...toDisputeFacts(told) });
  if (stage === 'none') {
    if (known) await closeDispute(ctx, scope, { tx, sale, dispute: known, end: 'none' });
    return;
  }
  if (stage === 'inquiry') {
    if (!known) await noteInquiry(ctx, scope, { tx, charge, told });
    return;
  }
  const dispute =
    known && known.status !== 'inquiry' ? known : await openDispute(ctx, scope, { tx, charge, told, known });
  if (dispute && stage !== 'open') await closeDispute(ctx, scope, { tx, sale, dispute, end: stage });
}
