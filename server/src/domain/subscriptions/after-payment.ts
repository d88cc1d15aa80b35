/** What a period's payment does to its subscription once it is paid or declined. Times are ms. */
import { move } from '../states/machine.ts';
import { SUBSCRIPTION, type SubscriptionStatus } from '../states/subscription.ts';
import { type DunningRun, type Failure, planAfterFailure, shiftRun, spendRun } from './dunning.ts';
import { type Interval, periodContaining } from './period.ts';

/** The part of a subscription that its payments bear on, by the names of its columns. */
export interface Billed {
  status: string;
  anchorAt: number | null;
  recurringInterval: Interval['unit'];
  recurringIntervalCount: number;
  trialEnd: number | null;
  pausedAt: number | null;
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

/** What else is owed for periods: nothing, only what was never charged, or what was. */
export type Owed = 'nothing' | 'untried' | 'tried';

/** `owed` besides the payment. */
export function planAfterPaid(billed: Billed, { nowMs, owed }: { nowMs: number; owed: Owed }): BilledChanges {
  const status = billed.status;
  if (status === 'trialing') return { status: move(SUBSCRIPTION, status, 'active') };
  if (status === 'paused') return planAfterPaidInPause(billed, { nowMs, owed });
  if (owed !== 'nothing') return {};
  switch (status) {
    case 'past_due':
      return { status: move(SUBSCRIPTION, status, 'active'), ...NO_RUN };
    case 'unpaid':
      return { status: move(SUBSCRIPTION, status, 'active'), ...NO_RUN, ...planCurrentPeriod(billed, nowMs) };
    default:
      return {};
  }
}

/** The run ends with the last payment that had failed: drafts that are left are charged with the end of the pause. */
function planAfterPaidInPause(billed: Billed, { nowMs, owed }: { nowMs: number; owed: Owed }): BilledChanges {
  if (owed === 'nothing' && isResuming(billed, nowMs)) {
    return { status: move(SUBSCRIPTION, 'paused', toRunning(billed, nowMs)), ...NO_RUN, ...NO_PAUSE };
  }
  return owed !== 'tried' && hasRun(billed) ? NO_RUN : {};
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
  /** Whether the buyer has tried, on the payment's page. */
  isBuyers: boolean;
}

/**
 * A declined charge of a period. Only the run's own charges move it: the buyer may try as often as they like. The
 * card of the run is not tried again, whoever learned that it is refused for good.
 */
export function planAfterDeclined(
  billed: Billed,
  { isOwnCard, isBuyers, ...declined }: DeclinedPeriod,
): AfterDeclined {
  const status = billed.status;
  const isFinal = declined.decline === 'hard' || declined.decline === 'authentication';
  const isHard = isFinal && isOwnCard;
  const failure: Failure = isFinal && !isHard ? { ...declined, decline: 'soft' } : declined;
  switch (status) {
    case 'trialing':
    case 'active': {
      const run = planAfterFailure(null, failure);
      return run ? { kind: 'goes_on', changes: toOverdue(status, run) } : { kind: 'over' };
    }
    case 'paused':
    case 'past_due': {
      if (isBuyers || billed.retryAt !== null) {
        return { kind: 'goes_on', changes: isHard && hasRun(billed) ? { dunningHard: true } : {} };
      }
      if (status === 'paused') return { kind: 'goes_on', changes: planAfterDeclinedInPause(billed, failure) };
      const run = planAfterFailure(readRun(billed, failure.nowMs), failure);
      return run ? { kind: 'goes_on', changes: toRunColumns(run) } : { kind: 'over' };
    }
    default:
      return { kind: 'goes_on', changes: {} };
  }
}

/**
 * A charge that was under way when the pause began is a try like any other. The time of a run stands still in a
 * pause, so that the days to the next one are counted from the pause on, and passed on to its end.
 */
function planAfterDeclinedInPause(billed: Billed, failure: Failure): BilledChanges {
  const { nowMs, terms } = failure;
  const pausedAtMs = billed.pausedAt ?? nowMs;
  const begun = hasRun(billed) ? readRun(billed, pausedAtMs) : null;
  const run =
    planAfterFailure(begun, { ...failure, nowMs: pausedAtMs }) ?? spendRun(begun, pausedAtMs, terms);
  if (!isResuming(billed, nowMs)) return toRunColumns(run);
  return { ...toOverdue('paused', shiftRun(run, nowMs - pausedAtMs)), ...NO_PAUSE };
}

function hasRun({ dunningStartedAt }: Billed): boolean {
  return dunningStartedAt !== null;
}

function toOverdue(from: SubscriptionStatus, run: DunningRun): BilledChanges {
  return { status: move(SUBSCRIPTION, from, 'past_due'), ...toRunColumns(run) };
}

/** The run of a subscription that has one. */
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
