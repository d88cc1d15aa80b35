/**
 * What a charge's outcome does: every outcome ends here, whoever asked for it, in the caller's transaction.
 * What changes with it depends on what the payment is for.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { assert, assertNever } from '../../domain/assert.ts';
import { decideArrival } from '../../domain/payments/arrival.ts';
import { FIRST_LOOK_MS } from '../../domain/payments/watch.ts';
import { move } from '../../domain/states/machine.ts';
import { toInStep } from '../../domain/states/order.ts';
import { isInitialPayment, PAYMENT } from '../../domain/states/payment.ts';
import type { StandingOutcome, SucceededCharge } from '../../providers/payment/payment-provider.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { findCharge, findPendingCharge } from '../../resources/payments/payments.queries.ts';
import { type LockedSale, lockSale } from '../../resources/sales/locked-sale.queries.ts';
import type { Sale } from '../../resources/sales/sale.view.ts';
import { atLock } from '../outbox/at-lock.ts';
import { holdCharge } from './hold-charge.ts';
import { keepWaiting } from './keep-waiting.ts';
import { toWatch } from './open-charge.ts';
import { closeCharge, readSale, type Settling } from './record-paid.ts';
import { reverseCharge } from './reverse-charge.ts';
import { settleOrderFailed, settleOrderPaid } from './settle-order-payment.ts';
import {
  isSubscriptionPayment,
  settleSubscriptionFailed,
  settleSubscriptionPaid,
} from './settle-subscription-payment.ts';

/**
 * Applies what the processor said of a charge; one that is settled already stays as it is. Money for a payment
 * that is closed goes back.
 */
export async function settlePayment(
  step: Step,
  scope: Scope,
  {
    tx,
    paymentId,
    chargeId,
    outcome,
  }: { tx: Tx; paymentId: string; chargeId: string; outcome: StandingOutcome },
): Promise<Sale> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId });
  assert(sale?.chargeStatus, 'a charge that was sent to the processor has its payment');
  // A purchase is of the moment in which it was asked for, with its periods: nothing else changes it meanwhile.
  const ctx = isInitialPayment(sale.paymentType) ? step : atLock(step);
  // A person decides on it, whatever the processor says now.
  if (sale.hold !== null && sale.paymentStatus === 'PENDING') return readSale(ctx, scope, { tx, sale });
  const isMoney = outcome.kind === 'succeeded';
  const arrival = decideArrival({
    kind: outcome.kind,
    takenMinor: isMoney ? outcome.amountMinor : 0n,
    takenCurrency: isMoney ? outcome.currency : '',
    chargeStatus: await readChargeStatus(tx, scope, { sale, chargeId }),
    chargeAmountMinor: sale.chargeAmount ?? 0n,
    paymentType: sale.paymentType,
    paymentStatus: sale.paymentStatus,
    paymentValueMinor: sale.paymentValue,
    chargeCurrency: sale.chargeCurrency ?? '',
    paymentCurrency: sale.currency,
  });
  switch (arrival) {
    case 'known':
      break;
    case 'settle':
      return settle(ctx, scope, { tx, sale, outcome });
    case 'overtake':
      assert(outcome.kind === 'succeeded', 'only money overtakes another try');
      return settleLate(ctx, scope, { tx, sale, outcome });
    case 'reopen':
      assert(outcome.kind === 'succeeded', 'only money opens a payment again');
      return settleLate(ctx, scope, { tx, sale: toReopened(sale), outcome });
    case 'hold':
      assert(outcome.kind === 'succeeded', 'only money is held');
      await holdCharge(ctx, scope, { tx, sale, outcome });
      break;
    case 'reverse':
      assert(outcome.kind === 'succeeded', 'only money can go back');
      await reverseCharge(ctx, scope, { tx, sale, outcome });
      break;
    case 'close_charge':
      assert(outcome.kind === 'declined', 'only a decline closes its charge alone');
      await closeCharge(ctx, scope, { tx, sale, outcome });
      break;
    default:
      return assertNever(arrival);
  }
  return readSale(ctx, scope, { tx, sale });
}

/**
 * A query that waits for a lock sees the locked rows as they are afterwards, but what it joins as it was
 * before. While a payment is PENDING its charge is as it was read; else somebody else may have settled it.
 */
async function readChargeStatus(
  tx: Tx,
  scope: Scope,
  { sale, chargeId }: { sale: LockedSale; chargeId: string },
): Promise<NonNullable<LockedSale['chargeStatus']>> {
  const charge = sale.paymentStatus === 'PENDING' ? null : await findCharge(tx, scope, chargeId);
  const status = charge?.status ?? sale.chargeStatus;
  assert(status, 'a charge that was sent to the processor has its row');
  return status;
}

/** The payment follows the outcome, whatever sum it is of. */
export function settle(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<StandingOutcome>,
): Promise<Sale> {
  const isLater = isSubscriptionPayment(sale);
  switch (outcome.kind) {
    case 'succeeded':
      return (isLater ? settleSubscriptionPaid : settleOrderPaid)(ctx, scope, { tx, sale, outcome });
    case 'declined':
      return (isLater ? settleSubscriptionFailed : settleOrderFailed)(ctx, scope, { tx, sale, outcome });
    case 'needs_action':
    case 'pending':
    case 'unknown':
      return keepWaiting(ctx, scope, { tx, sale, outcome });
  }
}

/** Another try that is under way is looked after: its money will go back. */
async function settleLate(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge>,
): Promise<Sale> {
  const paid = await settle(ctx, scope, { tx, sale, outcome });
  if (await findPendingCharge(tx, scope, sale.paymentId)) {
    await insertDueWork(tx, scope, [{ ...toWatch(sale), dueMs: ctx.nowMs + FIRST_LOOK_MS }]);
  }
  return paid;
}

/** FAILED → PENDING, as the sale is for a moment between two moves; an order that does not move with the payment stays. */
function toReopened(sale: LockedSale): LockedSale {
  const paymentStatus = move(PAYMENT, sale.paymentStatus, 'PENDING');
  return { ...sale, paymentStatus, orderStatus: toInStep(sale.orderStatus) };
}

/** A payment of nothing needs no processor: free claims, and orders that a discount brought to 0. */
export async function settleWithoutCharge(
  ctx: Step,
  scope: Scope,
  {
    tx,
    paymentId,
    isMailHeldBack = false,
  }: {
    tx: Tx;
    paymentId: string;
    /** The mail of it is one too many of those that anybody can cause. */
    isMailHeldBack?: boolean;
  },
): Promise<Sale> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId: null });
  assert(sale && sale.paymentValue === 0n, 'only a payment of 0 is settled without a charge');
  const settlePaid = isSubscriptionPayment(sale) ? settleSubscriptionPaid : settleOrderPaid;
  return settlePaid(ctx, scope, { tx, sale, outcome: null, isMailHeldBack });
}
