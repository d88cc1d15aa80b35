/** What a period's payment does to its subscription once it is paid or declined. Times are ms. */
import { move } from '../states/machine.ts';
import { SUBSCRIPTION, type SubscriptionStatus } from '../states/subscription.ts';
import { type DunningRun, type Failure, planAfterFailure } from './dunning.ts';
import { type Interval, periodContaining } from './period.ts';

/** The part of a subscription that its payments bear on, by the names of its columns. */
export interface Billed {
  status: string;
  anchorAt: number | null;
  recurringInterval: Interval['unit'];
  recurringIntervalCount: number;
  trialEnd: number | null;
  resumeAt: number | null;
  dunningStartedAt: number | null;
  dunningFailures: number;
  dunningErrors: number;
  dunningHard: boolean;
  retryAt: number | null;
}

export interface RunColumns {
  dunningStartedAt: number | null;
  dunningFailures: number;
  dunningErrors: number;
  dunningHard: boolean;
  retryAt: number | null;
}

export type BilledChanges = Partial<RunColumns> & {
  status?: SubscriptionStatus;
  pausedAt?: null;
  resumeAt?: null;
  pauseBehavior?: null;
  currentIntervalStart?: number;
  currentIntervalEnd?: number;
};

export const NO_RUN: RunColumns = {
  dunningStartedAt: null,
  dunningFailures: 0,
  dunningErrors: 0,
  dunningHard: false,
  retryAt: null,
};

const NO_PAUSE = { pausedAt: null, resumeAt: null, pauseBehavior: null };

/** Whether a paused subscription is being resumed: its time to resume has come. */
export function isResuming(
  { status, resumeAt }: Pick<Billed, 'status' | 'resumeAt'>,
  nowMs: number,
): boolean {
  return status === 'paused' && resumeAt !== null && resumeAt <= nowMs;
}

/** `owes` tells whether other periods are still to be paid. Nothing changes while they are. */
export function planAfterPaid(
  billed: Billed,
  { nowMs, owes }: { nowMs: number; owes: boolean },
): BilledChanges {
  const status = billed.status as SubscriptionStatus;
  if (status === 'trialing') return { status: move(SUBSCRIPTION, status, 'active') };
  if (owes) return {};
  switch (status) {
    case 'past_due':
      return { status: move(SUBSCRIPTION, status, 'active'), ...NO_RUN };
    case 'unpaid':
      return { status: move(SUBSCRIPTION, status, 'active'), ...NO_RUN, ...planCurrentPeriod(billed, nowMs) };
    case 'paused':
      if (!isResuming(billed, nowMs)) return billed.dunningStartedAt === null ? {} : NO_RUN;
      return { status: move(SUBSCRIPTION, status, toRunning(billed, nowMs)), ...NO_RUN, ...NO_PAUSE };
    default:
      return {};
  }
}

/** The status that a pause gives back when nothing is owed. */
export function toRunning({ trialEnd }: Pick<Billed, 'trialEnd'>, nowMs: number): 'trialing' | 'active' {
  return trialEnd !== null && trialEnd > nowMs ? 'trialing' : 'active';
}

/** Periods that went by unpaid are not made up for: the next boundary of the calendar is the next charge. */
function planCurrentPeriod(billed: Billed, nowMs: number): BilledChanges {
  const { anchorAt, recurringInterval: unit, recurringIntervalCount: count } = billed;
  if (anchorAt === null) return {};
  const { startMs, endMs } = periodContaining(anchorAt, { unit, count }, nowMs);
  return { currentIntervalStart: startMs, currentIntervalEnd: endMs };
}

export type AfterDeclined =
  /** The run goes on, or another's decline leaves everything as it is. */
  | { kind: 'goes_on'; changes: BilledChanges }
  /** The last day has gone by. */
  | { kind: 'over' };

export interface DeclinedPeriod extends Failure {
  /** Whether it was a charge of the card that the run charges: of another one the run learns nothing. */
  isOwnCard: boolean;
}

/**
 * A declined charge of a period. Only the run's own charges move it: the buyer may try as often as they like. The
 * card of the run is not tried again, whoever learned that it is refused for good.
 */
export function planAfterDeclined(billed: Billed, { isOwnCard, ...declined }: DeclinedPeriod): AfterDeclined {
  const status = billed.status as SubscriptionStatus;
  const isHard = declined.decline === 'hard';
  const failure: Failure = isHard && !isOwnCard ? { ...declined, decline: 'soft' } : declined;
  switch (status) {
    case 'trialing':
    case 'active':
      return startRun(status, planAfterFailure(null, failure));
    case 'paused':
      if (!isResuming(billed, failure.nowMs)) return { kind: 'goes_on', changes: {} };
      return startRun(status, planAfterFailure(null, failure));
    case 'past_due': {
      if (billed.retryAt !== null) {
        return { kind: 'goes_on', changes: failure.decline === 'hard' ? { dunningHard: true } : {} };
      }
      const run = planAfterFailure(readRun(billed, failure.nowMs), failure);
      return run ? { kind: 'goes_on', changes: toRunColumns(run) } : { kind: 'over' };
    }
    default:
      return { kind: 'goes_on', changes: {} };
  }
}

function startRun(from: SubscriptionStatus, run: DunningRun | null): AfterDeclined {
  if (run === null) return { kind: 'over' };
  const pause = from === 'paused' ? NO_PAUSE : {};
  return {
    kind: 'goes_on',
    changes: { status: move(SUBSCRIPTION, from, 'past_due'), ...pause, ...toRunColumns(run) },
  };
}

/** The run of a subscription that is past due. */
export function readRun(billed: Billed, nowMs: number): Omit<DunningRun, 'retryAtMs'> {
  const { dunningStartedAt, dunningFailures: failures, dunningErrors: errors, dunningHard: hard } = billed;
  return { startedAtMs: dunningStartedAt ?? nowMs, failures, errors, hard };
}

export function toRunColumns(run: DunningRun): RunColumns {
  return {
    dunningStartedAt: run.startedAtMs,
    dunningFailures: run.failures,
    dunningErrors: run.errors,
    dunningHard: run.hard,
    retryAt: run.retryAtMs,
  };
}
