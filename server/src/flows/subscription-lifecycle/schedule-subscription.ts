/** Puts down when a subscription changes by itself next, in the transaction of whatever changed it. */
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import type { Owed } from '../../domain/subscriptions/after-payment.ts';
import { type NextMoment, planNextMoment } from '../../domain/subscriptions/next-moment.ts';
import { planReminder } from '../../domain/subscriptions/reminder.ts';
import { deleteDueWork, insertDueWork, replaceDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { DueWork, DueWorkKey } from '../../resources/due-work/due-work.sql.ts';
import type { OpenPayment } from '../../resources/subscriptions/locked-subscription.queries.ts';

/** The next step by the rows as they are. `isCharging` as `isChargingPeriod` tells. */
export function nextMomentOf(subscription: Row<'subscriptions'>, isCharging: boolean): NextMoment | null {
  return planNextMoment({
    ...subscription,
    status: subscription.status,
    isCharging,
  });
}

/** A period's payment is PENDING exactly while its charge is under way. */
export function isChargingPeriod(open: readonly OpenPayment[]): boolean {
  return open.some(isPeriodCharging);
}

export function isPeriodCharging({ type, status }: OpenPayment): boolean {
  return type === 'subscription_interval' && status === 'PENDING';
}

/** What is owed for periods: failed, waiting behind a failed one, or kept as a draft. Oldest first. */
export function listOwed(open: readonly OpenPayment[]): OpenPayment[] {
  return open.filter(({ type, status }) => type === 'subscription_interval' && status !== 'PENDING');
}

/** What is owed for periods besides a payment that is being settled. */
export function findOwed(open: readonly OpenPayment[], settledId: string): Owed {
  const others = open.filter(({ id, type }) => type === 'subscription_interval' && id !== settledId);
  if (others.length === 0) return 'nothing';
  return others.every(({ status }) => status === 'UNPAID') ? 'untried' : 'tried';
}

/**
 * `subscription` as it is after the change. A worker that holds the row's lease loses it. `ended` is other work
 * that is over with it.
 */
export async function scheduleSubscription(
  tx: Tx,
  scope: Scope,
  subscription: Row<'subscriptions'>,
  { isCharging, ended }: { isCharging: boolean; ended?: DueWorkKey } = { isCharging: false },
): Promise<void> {
  const next = nextMomentOf(subscription, isCharging);
  const refId = subscription.id;
  if (next === null) {
    if (ended) await deleteDueWork(tx, scope, ended.kind, ended.refId);
    await deleteDueWork(tx, scope, 'advance_subscription', refId);
    return;
  }
  const reminder = planReminder({ ...subscription, status: subscription.status });
  // A row that is not wanted any more ends by itself: the reminder looks at the subscription first.
  const reminding: DueWork[] = reminder ? [{ kind: 'remind_subscription', refId, dueMs: reminder.atMs }] : [];
  const work: DueWork[] = [{ kind: 'advance_subscription', refId, dueMs: next.atMs }, ...reminding];
  await (ended ? replaceDueWork(tx, scope, { ended, work }) : insertDueWork(tx, scope, work));
}
