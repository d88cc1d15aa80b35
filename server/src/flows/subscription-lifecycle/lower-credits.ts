/** What was refunded is not credited as well: waiting credits are lowered to what is left of what their period cost. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import type { BillingLine } from '../../domain/billing/line.ts';
import { computeRoom, lowerCredits as planLowered, toBookedLine } from '../../domain/billing/period-books.ts';
import { readLines } from '../../domain/subscriptions/stored-plan.ts';
import { loadBookedPayments } from '../../resources/payments/booked-payments.view.ts';
import { listWaitingLines } from '../../resources/payments/payment-lines.queries.ts';
import { toBillingLines } from '../../resources/payments/payment-lines.schema.ts';
import { lockOfLockedOrder } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { listEnds } from './pay-back-credits.ts';
import { updateRests, writeWaitingLines } from './write-subscription-payment.ts';

export interface Lowering {
  tx: Tx;
  /** Its order is locked. */
  subscriptionId: string;
  /** A payment that is being settled: it counts as paid. */
  paidId?: string;
}

/** Lowers the waiting credits of every period that has more of them than it may, newest first; answers what was cut off. */
export async function lowerCredits(
  scope: Scope,
  { tx, subscriptionId, paidId }: Lowering,
): Promise<BillingLine[]> {
  const waiting = toBillingLines(await listWaitingLines(tx, scope, subscriptionId));
  const ends = listEnds(waiting.filter(({ total }) => total < 0n));
  if (ends.length === 0) return [];
  const payments = await loadBookedPayments(tx, scope, { subscriptionId, ends, paidId });
  const cuts = ends.flatMap((periodEnd) => {
    const roomMinor = computeRoom(periodEnd, payments, waiting.map(toBookedLine));
    return planLowered(waiting, { periodEnd, overMinor: -roomMinor });
  });
  await updateRests(
    tx,
    scope,
    cuts.map(({ rest }) => rest),
  );
  return cuts.map(({ part }) => part);
}

/** The refund failed: the credits that it had paid back or lowered wait again, unless the subscription has ended. */
export async function restoreCredits(
  ctx: Step,
  scope: Scope,
  { tx, subscriptionId, creditLines }: { tx: Tx; subscriptionId: string; creditLines: readonly unknown[] },
): Promise<void> {
  if (creditLines.length === 0) return;
  const { endedAt } = await lockOfLockedOrder(tx, scope, subscriptionId);
  if (endedAt !== null) return;
  const lines = readLines(creditLines).map((line) => ({
    ...line,
    sourceLineId: line.id ?? line.sourceLineId,
  }));
  await writeWaitingLines(ctx, scope, { tx, subscriptionId, lines });
}
