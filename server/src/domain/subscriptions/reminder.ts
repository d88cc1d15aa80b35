/** Before a subscription takes money that its buyer may have forgotten, they are told. Times are ms. */
import type { SubscriptionStatus } from '../states/subscription.ts';
import type { Interval } from './period.ts';

const DAY_MS = 86_400_000;
/** Of a trial of three days or less: a day. */
const TRIAL_SHORT_MS = 3 * DAY_MS;
const TRIAL_LEAD_MS = 3 * DAY_MS;
const RENEWAL_LEAD_MS = 7 * DAY_MS;
const MONTHS_OF_YEAR = 12;

export interface RemindedSubscription {
  status: SubscriptionStatus;
  trialStart: number | null;
  trialEnd: number | null;
  currentIntervalEnd: number | null;
  cancelAtIntervalEnd: boolean;
  recurringInterval: Interval['unit'];
  recurringIntervalCount: number;
}

export interface Reminder {
  kind: 'trial_ending' | 'renewal_reminder';
  /** When it is sent. */
  atMs: number;
  /** The payment that it tells of. */
  ofMs: number;
}

/**
 * Three days before a trial ends, a day where it is three days or shorter; seven days before a renewal that comes
 * once a year or less often. Null where nothing is taken, or where the trial is too short to be told of.
 */
export function planReminder(subscription: RemindedSubscription): Reminder | null {
  const { status, cancelAtIntervalEnd, trialStart, trialEnd, currentIntervalEnd } = subscription;
  if (cancelAtIntervalEnd) return null;
  if (status === 'trialing' && trialStart !== null && trialEnd !== null) {
    const atMs = trialEnd - (trialEnd - trialStart <= TRIAL_SHORT_MS ? DAY_MS : TRIAL_LEAD_MS);
    return atMs > trialStart ? { kind: 'trial_ending', atMs, ofMs: trialEnd } : null;
  }
  if (status !== 'active' || currentIntervalEnd === null || !isYearly(subscription)) return null;
  return { kind: 'renewal_reminder', atMs: currentIntervalEnd - RENEWAL_LEAD_MS, ofMs: currentIntervalEnd };
}

function isYearly({ recurringInterval, recurringIntervalCount }: RemindedSubscription): boolean {
  if (recurringInterval === 'year') return true;
  return recurringInterval === 'month' && recurringIntervalCount >= MONTHS_OF_YEAR;
}
