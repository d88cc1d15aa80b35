/** When a subscription that is made by the API begins: its trial, its anchor and its first period. Times are ms. */

import type { Fraction } from '../billing/compose.ts';
import { invalidField } from '../errors.ts';
import { toFirstPeriod, toFraction } from './first-period.ts';
import { boundaryMs, type Interval, trialEndMs } from './period.ts';

export interface AskedStart {
  nowMs: number;
  interval: Interval;
  /** Of the offer; null = none. */
  trial: Interval | null;
  trialEnd: number | null;
  skipTrial: boolean;
  billingCycleAnchor: number | null;
  backdateStartDate: number | null;
}

export interface PlannedStart {
  /** Null = no trial: the first period is paid for now. */
  trialEnd: number | null;
  /** Of the calendar; null = the moment of the payment. */
  anchorAt: number | null;
  /** How much of a full interval the first period is; null = all of it. */
  fraction: Fraction | null;
  periodStart: number;
  periodEnd: number;
}

/** Refuses moments that lie on the wrong side of now, and what does not go together. */
export function planStart(asked: AskedStart): PlannedStart {
  const { nowMs, interval, billingCycleAnchor, backdateStartDate } = asked;
  const trialEnd = toTrialEnd(asked);
  checkTogether(asked, trialEnd);
  if (billingCycleAnchor !== null) checkAnchor(nowMs, interval, billingCycleAnchor);
  if (backdateStartDate !== null && backdateStartDate > nowMs) {
    throw invalidField('backdateStartDate', 'must lie in the past');
  }
  if (trialEnd !== null) {
    return { trialEnd, anchorAt: null, fraction: null, periodStart: nowMs, periodEnd: trialEnd };
  }
  const anchorAt = billingCycleAnchor ?? backdateStartDate;
  const { startMs, endMs } = toFirstPeriod(anchorAt ?? nowMs, interval, nowMs);
  const fraction =
    billingCycleAnchor === null ? null : toFraction(billingCycleAnchor, interval, { startMs, endMs });
  return { trialEnd: null, anchorAt, fraction, periodStart: startMs, periodEnd: endMs };
}

function toTrialEnd({ nowMs, trial, trialEnd, skipTrial }: AskedStart): number | null {
  if (trialEnd !== null && trialEnd <= nowMs) throw invalidField('trialEnd', 'must lie in the future');
  if (skipTrial) return null;
  return trialEnd ?? (trial === null ? null : trialEndMs(nowMs, trial));
}

function checkTogether({ billingCycleAnchor, backdateStartDate }: AskedStart, trialEnd: number | null): void {
  if (billingCycleAnchor !== null && backdateStartDate !== null) {
    throw invalidField('billingCycleAnchor', 'cannot be given together with backdateStartDate');
  }
  const path = billingCycleAnchor === null ? 'backdateStartDate' : 'billingCycleAnchor';
  const isGiven = billingCycleAnchor !== null || backdateStartDate !== null;
  if (isGiven && trialEnd !== null) throw invalidField(path, 'cannot be given together with a trial');
}

function checkAnchor(nowMs: number, interval: Interval, anchorMs: number): void {
  if (anchorMs <= nowMs) throw invalidField('billingCycleAnchor', 'must lie in the future');
  if (anchorMs > boundaryMs(nowMs, interval, 1)) {
    throw invalidField('billingCycleAnchor', 'must be at most one interval ahead');
  }
}
