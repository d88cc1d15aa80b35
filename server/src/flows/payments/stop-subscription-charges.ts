/** Charges of a subscription that is about to end: what one takes after the end would be paid for nothing. */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { isInitialPayment } from '../../domain/states/payment.ts';
import { findPendingCharge } from '../../resources/payments/payments.queries.ts';
import { listOpenPayments } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { type StoppedCharge, stopCharge } from './cancel-charge.ts';
import { closePayment, closeStoppedCharge } from './close-payment.ts';

export interface AskedCharge {
  paymentId: string;
  type: string;
  stopped: StoppedCharge;
}

/** As often as charges begin between the questions to the processor and the lock. */
const TRIES_MAX = 5;

/** Rolls back: a charge has begun that nobody has tried to stop. */
class ChargeBegun extends Error {
  override name = 'ChargeBegun';
}

/**
 * Stops what is under way and ends with `end`, a transaction that calls `closeAsked` under its lock; again where another
 * charge has begun meanwhile. Throws payment_in_progress where one begins each time.
 */
export async function endWithoutCharges<T>(
  ctx: Context,
  scope: Scope,
  { subscriptionId, end }: { subscriptionId: string | null; end: (asked: AskedCharge[]) => Promise<T> },
): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const asked = subscriptionId === null ? [] : await stopCharges(ctx, scope, subscriptionId);
    try {
      return await end(asked);
    } catch (error) {
      if (!(error instanceof ChargeBegun)) throw error;
    }
  }
  throw new Refusal('payment_in_progress');
}

/**
 * Charges under way are stopped first, outside; those that the processor takes, or does not tell of, stand. Not so that
 * of the first payment: with it order and subscription would begin after their end.
 */
async function stopCharges(ctx: Context, scope: Scope, subscriptionId: string): Promise<AskedCharge[]> {
  const asked: AskedCharge[] = [];
  for (const { id: paymentId, status, type } of await listOpenPayments(ctx.db, scope, subscriptionId)) {
    if (status !== 'PENDING' && !isInitialPayment(type)) continue;
    asked.push({ paymentId, type, stopped: await stopCharge(ctx, scope, paymentId) });
  }
  return asked;
}

/** Closes what was stopped, in the transaction that holds the order's lock and ends the subscription. */
export async function closeAsked(
  ctx: Step,
  scope: Scope,
  {
    tx,
    subscriptionId,
    asked,
    reason,
  }: { tx: Tx; subscriptionId: string; asked: readonly AskedCharge[]; reason: string | null },
): Promise<void> {
  await refuseUnasked(scope, { tx, subscriptionId, asked });
  for (const { paymentId, type, stopped } of asked) {
    const isLeft = stopped.kind === 'unknown' && !isInitialPayment(type);
    if (stopped.kind === 'taken' || isLeft) continue;
    const closing = { tx, paymentId, stopped };
    // Calling off the first payment ends order and subscription with it; the others end with the subscription.
    if (isInitialPayment(type)) await closePayment(ctx, scope, { ...closing, to: 'CANCELLED', reason });
    else await closeStoppedCharge(ctx, scope, closing);
  }
}

/** Throws ChargeBegun. */
async function refuseUnasked(
  scope: Scope,
  { tx, subscriptionId, asked }: { tx: Tx; subscriptionId: string; asked: readonly AskedCharge[] },
): Promise<void> {
  for (const { id, status } of await listOpenPayments(tx, scope, subscriptionId)) {
    const isAsked = asked.some(({ paymentId, stopped }) => paymentId === id && stopped.kind !== 'none');
    if (status !== 'PENDING' || isAsked) continue;
    if (await findPendingCharge(tx, scope, id)) throw new ChargeBegun();
  }
}
