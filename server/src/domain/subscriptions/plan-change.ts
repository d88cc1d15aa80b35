/** What a change of a subscription's items comes to: when it holds, and what is billed for it. */
import type { Interval } from './period.ts';

export type ProrationBehavior = 'create_prorations' | 'always_invoice' | 'none';

export type ChangeKind =
  /** Nothing differs. */
  | 'nothing'
  /** The new items hold at once, nothing is billed for the change. */
  | 'swap'
  /** The new items hold at once, the difference goes on the next payment. */
  | 'prorate'
  /** The difference is paid for now, and the new items hold once it is. */
  | 'invoice'
  /** Another interval: a full new period is paid for now and begins once it is. */
  | 'restart'
  /** Another interval, from the end of the period on. */
  | 'schedule';

export interface AskedChange {
  isTrialing: boolean;
  /** Whether the items are sold as before. */
  isSamePlan: boolean;
  isSameInterval: boolean;
  /** Another interval waits for the end of the period; any update takes its place. */
  isScheduled: boolean;
  behavior: ProrationBehavior;
}

export function decideChange(asked: AskedChange): ChangeKind {
  if (asked.isSamePlan && asked.isSameInterval) return asked.isScheduled ? 'swap' : 'nothing';
  // Nothing was charged yet, so that nothing is to be given back; the end of the trial stays.
  if (asked.isTrialing) return 'swap';
  if (!asked.isSameInterval) return asked.behavior === 'none' ? 'schedule' : 'restart';
  switch (asked.behavior) {
    case 'create_prorations':
      return 'prorate';
    case 'always_invoice':
      return 'invoice';
    case 'none':
      return 'swap';
  }
}

export function isSameInterval(a: Interval, b: Interval): boolean {
  return a.unit === b.unit && a.count === b.count;
}
