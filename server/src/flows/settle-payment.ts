/**
 * What a charge's outcome does: every outcome ends here, whoever asked for it, in the caller's transaction.
 * What changes with it depends on what the payment is for.
 */
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { assert } from '../domain/assert.ts';
import type { StandingOutcome } from '../providers/payment/payment-provider.ts';
import { lockSale } from '../resources/orders/locked-sale.queries.ts';
import { readSale } from './finish-paid.ts';
import type { Sale } from './load-sale.ts';
import { keepInitialWaiting, settleInitialFailed, settleInitialPaid } from './settle-initial.ts';

/** Applies what the processor said of a charge; one that is settled already stays as it is. */
export async function settlePayment(
  ctx: Context,
  scope: Scope,
  {
    tx,
    paymentId,
    chargeId,
    outcome,
  }: { tx: Tx; paymentId: string; chargeId: string; outcome: StandingOutcome },
): Promise<Sale> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId });
  assert(sale, 'a charge that was sent to the processor has its payment');
  if (sale.chargeStatus !== 'pending') return readSale(ctx, scope, { tx, sale });
  switch (outcome.kind) {
    case 'succeeded':
      return settleInitialPaid(ctx, scope, { tx, sale, outcome });
    case 'declined':
      return settleInitialFailed(ctx, scope, { tx, sale, outcome });
    case 'needs_action':
    case 'pending':
    case 'unknown':
      return keepInitialWaiting(ctx, scope, { tx, sale, outcome });
  }
}

/** A payment of nothing needs no processor: free claims, and orders that a discount brought to 0. */
export async function settleWithoutCharge(
  ctx: Context,
  scope: Scope,
  { tx, paymentId }: { tx: Tx; paymentId: string },
): Promise<Sale> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId: null });
  assert(sale && sale.paymentValue === 0n, 'only a payment of 0 is settled without a charge');
  return settleInitialPaid(ctx, scope, { tx, sale, outcome: null });
}
