/**
 * A subscription whose workspace was archived stood still: nothing was charged, and what went by is not billed later. It
 * goes on from the next boundary of its calendar. Times are ms on the workspace's clock.
 */
import { move } from '../states/machine.ts';
import { SUBSCRIPTION } from '../states/subscription.ts';
import { type Billed, type BilledChanges, readRun, toRunColumns } from './after-payment.ts';
import { shiftRun } from './dunning.ts';
import { periodContaining } from './period.ts';

/** The part of a subscription that time bears on. */
export type StandingStill = Billed & { currentIntervalEnd: number | null; cancelAtIntervalEnd: boolean };

/** What changes of it as its workspace goes on at `nowMs`, having stood still from `fromMs`. */
export function planAfterStandstill(
  subscription: StandingStill,
  { fromMs, nowMs }: { fromMs: number; nowMs: number },
): BilledChanges {
  const { currentIntervalEnd: endMs, cancelAtIntervalEnd } = subscription;
  const run = planRun(subscription, nowMs - fromMs, nowMs);
  // Its period, or its trial, is running yet; or it was to end with it, and does so now.
  if (endMs === null || endMs > nowMs || cancelAtIntervalEnd) return run;
  return { ...run, ...planStatus(subscription), ...planPeriod(subscription, nowMs) };
}

/** A run goes on with what it had left; one that a pause had stopped counts from its pause on. */
function planRun(subscription: StandingStill, byMs: number, nowMs: number): BilledChanges {
  const { status, retryAt: retryAtMs } = subscription;
  if (status !== 'past_due' || retryAtMs === null) return {};
  return toRunColumns(shiftRun({ ...readRun(subscription, nowMs), retryAtMs }, byMs));
}

/** A trial that ended meanwhile goes by without a charge, as in a pause. */
function planStatus({ status }: StandingStill): BilledChanges {
  if (status !== 'trialing') return {};
  return { status: move(SUBSCRIPTION, status, 'active') };
}

function planPeriod(subscription: StandingStill, nowMs: number): BilledChanges {
  const { anchorAt, recurringInterval: unit, recurringIntervalCount: count } = subscription;
  if (anchorAt === null) return {};
  const { startMs, endMs } = periodContaining(anchorAt, { unit, count }, nowMs);
  return { currentIntervalStart: startMs, currentIntervalEnd: endMs };
}
