/**
 * Whether a buyer has access to what was bought, and until when. Asked by whoever
 * shows or hands out what was bought, so that a receipt and a merchant's server are never told different things.
 * Times are ms on the workspace's clock.
 */
import type { SubscriptionStatus } from '../states/subscription.ts';
import { computeAccessEndMs } from './dunning.ts';
import { type Interval, periodContaining } from './period.ts';

/** The part of a subscription that access hangs on, by the names of its columns. */
export interface AccessSubscription {
  status: SubscriptionStatus;
  anchorAt: number | null;
  recurringInterval: Interval['unit'];
  recurringIntervalCount: number;
  currentIntervalEnd: number | null;
  cancelAtIntervalEnd: boolean;
  dunningStartedAt: number | null;
  pausedAt: number | null;
  trialEnd: number | null;
  endedAt: number | null;
}

export interface Bought {
  /** Since when a buyer's bank disputes its money; null = nobody does. */
  frozenAt: number | null;
  /** Null = bought once and for all. */
  subscription: AccessSubscription | null;
}

export interface AccessTerms {
  nowMs: number;
  /** The setting of the store: how long access outlasts a renewal that is not paid. */
  graceDays: number;
}

export const ACCESS_STATUSES = ['active', 'frozen', 'ended'] as const;

export interface Access {
  status: (typeof ACCESS_STATUSES)[number];
  /** When it ends if nothing more is paid, or when it ended; null = never. */
  endsAtMs: number | null;
}

export function computeAccess({ frozenAt, subscription }: Bought, terms: AccessTerms): Access {
  const endsAtMs = subscription && computeEndMs(subscription, terms);
  if (frozenAt !== null && (endsAtMs === null || frozenAt < endsAtMs)) {
    return { status: 'frozen', endsAtMs: frozenAt };
  }
  return { status: endsAtMs === null || endsAtMs > terms.nowMs ? 'active' : 'ended', endsAtMs };
}

function computeEndMs(subscription: AccessSubscription, { nowMs, graceDays }: AccessTerms): number {
  const { cancelAtIntervalEnd, currentIntervalEnd, dunningStartedAt, endedAt, trialEnd } = subscription;
  const graceEndMs = computeAccessEndMs(dunningStartedAt, graceDays);
  switch (subscription.status) {
    case 'trialing':
    case 'active': {
      const endMs = currentIntervalEnd ?? trialEnd ?? nowMs;
      // A renewal that is late through no fault of the buyer's takes no access before a failed one would.
      return endMs > nowMs || cancelAtIntervalEnd ? endMs : (computeAccessEndMs(endMs, graceDays) ?? endMs);
    }
    case 'past_due':
      return cancelAtIntervalEnd
        ? Math.min(graceEndMs ?? nowMs, currentIntervalEnd ?? nowMs)
        : (graceEndMs ?? nowMs);
    case 'unpaid':
      // Off by its status, also where the grace is longer than the run.
      return Math.min(graceEndMs ?? nowMs, nowMs);
    case 'paused':
      return graceEndMs ?? computePaidEndMs(subscription, nowMs);
    case 'canceled':
      return endedAt ?? nowMs;
    case 'incomplete':
    case 'incomplete_expired':
      // Nothing was paid yet.
      return 0;
  }
}

/** The end of the trial or period in which the pause began: those that go by in it are not paid. */
function computePaidEndMs(subscription: AccessSubscription, nowMs: number): number {
  const { anchorAt, pausedAt, currentIntervalEnd, recurringInterval, recurringIntervalCount } = subscription;
  if (anchorAt === null || pausedAt === null) return currentIntervalEnd ?? nowMs;
  // A trial, and a first period that was cut short, end where the calendar begins.
  if (pausedAt < anchorAt) return anchorAt;
  return periodContaining(anchorAt, { unit: recurringInterval, count: recurringIntervalCount }, pausedAt)
    .endMs;
}
