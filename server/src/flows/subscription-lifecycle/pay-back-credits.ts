/** Credits that no payment can use any more go back to the buyer, in the transaction in which that is certain. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { type BillingLine, toTaxKey } from '../../domain/billing/line.ts';
import { type PayBack, planPayBacks } from '../../domain/billing/pay-back.ts';
import { storeLines } from '../../domain/subscriptions/stored-plan.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { type LoadedPayment, loadBookedPayments } from '../../resources/payments/booked-payments.view.ts';
import { listWaitingLines } from '../../resources/payments/payment-lines.queries.ts';
import { toBillingLines } from '../../resources/payments/payment-lines.schema.ts';
import { insertRefund } from '../../resources/refunds/refunds.queries.ts';
import { updateRests } from './write-subscription-payment.ts';

const NOTE = 'Pays a credit back whose tax is not charged any more.';

export interface PayingBack {
  tx: Tx;
  /** Locked with its order. */
  subscription: { id: string; orderId: string };
  /** Of these the waiting credits are paid back, by the keys of their taxes. */
  taxes: ReadonlySet<string>;
}

/** Writes the refunds as pending, each with the work that sends it, and takes up the credits that they consume. */
export async function payBackCredits(
  ctx: Step,
  scope: Scope,
  { tx, subscription, taxes }: PayingBack,
): Promise<void> {
  if (taxes.size === 0) return;
  const waiting = toBillingLines(await listWaitingLines(tx, scope, subscription.id));
  const due = waiting.filter((line) => line.total < 0n && taxes.has(toTaxKey(line)));
  const payments = await loadBookedPayments(tx, scope, {
    subscriptionId: subscription.id,
    ends: listEnds(due),
  });
  const { payBacks, rests } = planPayBacks(waiting, taxes, payments);
  await updateRests(tx, scope, rests.values());
  for (const payBack of payBacks) {
    const payment = payments.find(({ id }) => id === payBack.paymentId);
    assert(payment, 'a payment back is of a payment that was read');
    await writePayBack(ctx, scope, { tx, orderId: subscription.orderId, payBack, payment });
  }
}

async function writePayBack(
  ctx: Step,
  scope: Scope,
  { tx, orderId, payBack, payment }: { tx: Tx; orderId: string; payBack: PayBack; payment: LoadedPayment },
): Promise<void> {
  const { paymentId, amountMinor: amount, taxMinor: tax, lines } = payBack;
  const { charge } = payment;
  const [first] = lines;
  assert(charge && first, 'money that was taken has its charge, and goes back for a credit');
  const id = ctx.ids.next(ctx.nowMs);
  await insertRefund(tx, scope, {
    id,
    orderId,
    paymentId,
    chargeId: charge.id,
    status: 'pending',
    amount,
    tax,
    currency: first.currency,
    reason: 'other',
    note: NOTE,
    processor: charge.processor,
    connectionId: charge.connectionId,
    paysBack: true,
    creditLines: toJson(storeLines(lines)),
    // Never before its charge, which another process, or the time before an advance, may have stamped later.
    createdAt: Math.max(ctx.nowMs, charge.settledAt ?? 0),
  });
  await insertDueWork(tx, scope, [{ kind: 'send_refund', refId: id, dueMs: ctx.nowMs }]);
}

/** The periods that lines are of, by their ends. */
export function listEnds(lines: readonly BillingLine[]): number[] {
  return [...new Set(lines.flatMap(({ periodEnd }) => periodEnd ?? []))];
}
