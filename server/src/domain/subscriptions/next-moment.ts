/** The next moment at which a subscription changes by itself, and what happens then. Times are ms. */
import type { SubscriptionStatus } from '../states/subscription.ts';

export interface BillingClock {
  /** It was imported, and is still charged elsewhere. */
  waiting: boolean;
  status: SubscriptionStatus;
  /** The end of the current period, or of the trial; null before the first payment. */
  currentIntervalEnd: number | null;
  cancelAtIntervalEnd: boolean;
  resumeAt: number | null;
  /** The next day of a dunning run; null while its charge is under way and without a run. */
  retryAt: number | null;
  dunningHard: boolean;
  /** The payment that a change of plan waits for; null = none. */
  pendingPaymentId: string | null;
  /** A period's payment is being charged: everything else waits for what comes of it. */
  isCharging: boolean;
}

export type BillingStep =
  /** The pause ends: what was kept as a draft is charged. */
  | 'resume'
  /** What is owed is charged again, oldest first. */
  | 'retry'
  /** A day of the run goes by without a charge, since the card was refused for good. */
  | 'remind'
  /** The subscription ends with its period, as it was asked to. */
  | 'end'
  /** The next period is paid for. */
  | 'renew'
  /** The period, or the trial, goes by in a pause. */
  | 'pass';

export interface NextMoment {
  step: BillingStep;
  atMs: number;
}

/** The earliest step; of two at one moment what is owed comes before what is new. Null = nothing changes by itself. */
export function planNextMoment(clock: BillingClock): NextMoment | null {
  if (clock.isCharging || clock.waiting) return null;
  const boundary = planBoundary(clock);
  const other = planOther(clock);
  if (!boundary || !other) return boundary ?? other;
  return boundary.atMs < other.atMs ? boundary : other;
}

function planOther({ status, resumeAt, retryAt, dunningHard }: BillingClock): NextMoment | null {
  if (status === 'paused') return resumeAt === null ? null : { step: 'resume', atMs: resumeAt };
  if (status !== 'past_due') return null;
  // Without a time and without a charge the run was left in the middle: it goes on at once.
  return { step: dunningHard ? 'remind' : 'retry', atMs: retryAt ?? 0 };
}

function planBoundary(clock: BillingClock): NextMoment | null {
  const { status, currentIntervalEnd: atMs, cancelAtIntervalEnd } = clock;
  if (atMs === null) return null;
  // Which plan the next period is of, and whether it begins there, is known once the change is paid for or off.
  if (clock.pendingPaymentId !== null && !cancelAtIntervalEnd) return null;
  switch (status) {
    case 'trialing':
    case 'active':
    case 'past_due':
      return { step: cancelAtIntervalEnd ? 'end' : 'renew', atMs };
    case 'paused':
      return { step: cancelAtIntervalEnd ? 'end' : 'pass', atMs };
    case 'unpaid':
      return cancelAtIntervalEnd ? { step: 'end', atMs } : null;
    case 'incomplete':
    case 'incomplete_expired':
    case 'canceled':
      return null;
  }
}
